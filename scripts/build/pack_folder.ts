import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { packIndexOf, packOf, type PackIndex } from '../../server/kernel/packed_folder.ts'

const compress = promisify(brotliCompress)

/** 16 MB, the maximum of Brotli. */
const WINDOW_BITS = 24
/** Quality 10 takes five times as long and saves a tenth. */
const QUALITY = 9

/**
 * Packs a folder for `PackedFolder`.
 * @param out the folder's name where it is read
 * @param blockBytes bytes to decompress for reading a file
 */
export async function packFolder(folder: string, out: string, blockBytes: number): Promise<void> {
  const files: Record<string, PackIndex['files'][string]> = {}
  const blocks: Buffer[][] = []
  let free = 0
  for (const name of await namesIn(folder)) {
    const text = await readFile(join(folder, name))
    if (text.length > free) {
      blocks.push([])
      free = blockBytes
    }
    files[name] = { block: blocks.length - 1, at: blockBytes - free, bytes: text.length }
    blocks.at(-1)?.push(text)
    free -= text.length
  }
  const packed = await Promise.all(blocks.map((texts) => compressed(Buffer.concat(texts))))
  let at = 0
  const spans = packed.map(({ length: bytes }) => ({ at: (at += bytes) - bytes, bytes }))
  await writeFile(packOf(out), Buffer.concat(packed))
  await writeFile(packIndexOf(out), JSON.stringify({ blocks: spans, files } satisfies PackIndex))
}

/** Paths of the files, sorted by extension: files of one kind compress best together. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
  const key = (name: string): string => `${name.slice(name.lastIndexOf('.'))} ${name}`
  return names.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}

function compressed(bytes: Buffer): Promise<Buffer> {
  return compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}
