import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ZipReader } from '../../../archive/src/zip_reader.ts'
import { ZipWriter } from '../../../archive/src/zip_writer.ts'
import { scratchFolder } from '../../harness/databases.ts'

const STREAMS_MAX = 50
/** So many that `STREAMS_MAX` would be exceeded if streams outlived their entries. */
const ENTRIES = 100

it('the stream of a zip entry is closed when the entry ends, and entries are added without waiting for the disk', async () => {
  const path = join(scratchFolder('zip-'), 'many.zip')
  // In a separate process, because counting objects takes seconds in one that has run many tests.
  const script = join(import.meta.dirname, '../support/streams_left.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, path, String(ENTRIES)])
  expect(Number(stdout)).toBeLessThan(STREAMS_MAX)
  const reader = await ZipReader.open(path)
  expect(reader.paths).toHaveLength(ENTRIES)
  reader.close()
})

it('adding an entry fails when the zip file cannot be written', async () => {
  const zip = new ZipWriter(join(scratchFolder('zip-'), 'missing', 'one.zip'))
  const addAll = async (): Promise<void> => {
    for (let index = 0; index < ENTRIES; index += 1) await zip.add(`${index}.bin`, Readable.from([randomBytes(100_000)]), 0)
  }
  await expect(addAll()).rejects.toThrow('ENOENT')
  await expect(zip.addText('last.md', 'Text', 0)).rejects.toThrow('ENOENT')
  await zip.abandon()
})
