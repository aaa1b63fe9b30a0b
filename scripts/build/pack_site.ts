import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { packedNames, type PackedFile, type PackedIndex } from '../../server/http/packed_site.ts'
import { pagePolicy } from '../../server/http/page_policy.ts'

const compress = promisify(gzip)

/** Packs a folder of pages, for `servePacked`. @param out the folder's name where it is served */
export async function packSite(folder: string, out: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()
  const policies: string[] = []
  const files: Record<string, PackedFile> = {}
  const parts: Buffer[] = []
  let at = 0
  for (const name of names) {
    const text = await readFile(join(folder, name))
    const bytes = await compress(text, { level: constants.Z_BEST_COMPRESSION })
    const policy = pagePolicy(join(folder, name))
    if (!policies.includes(policy)) policies.push(policy)
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
    files[name.replaceAll('\\', '/')] = { at, bytes: bytes.length, etag, policy: policies.indexOf(policy) }
    parts.push(bytes)
    at += bytes.length
  }
  const { pack, index } = packedNames(out)
  await writeFile(pack, Buffer.concat(parts))
  await writeFile(index, JSON.stringify({ policies, files } satisfies PackedIndex))
}
