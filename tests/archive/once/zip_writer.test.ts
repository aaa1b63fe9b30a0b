import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { queryObjects } from 'node:v8'
import { expect, it } from 'vitest'
import { ZipReader } from '../../../server/archive/zip_reader.ts'
import { ZipWriter } from '../../../server/archive/zip_writer.ts'
import { scratchFolder } from '../../harness/databases.ts'

/** Other work of this process has streams, too. */
const STREAMS_MAX = 50
const ENTRIES = 400

it('no stream of an entry outlives it, and none waits for the disk while others are added', async () => {
  const path = join(scratchFolder('zip-'), 'many.zip')
  const zip = new ZipWriter(path)
  const before = queryObjects(PassThrough, { format: 'count' })
  for (let index = 0; index < ENTRIES; index += 1) await zip.addText(`${index}.md`, 'Text', 0)
  expect(queryObjects(PassThrough, { format: 'count' }) - before).toBeLessThan(STREAMS_MAX)
  await zip.finish()
  const reader = await ZipReader.open(path)
  expect(reader.paths).toHaveLength(ENTRIES)
  reader.close()
})

it('where the file cannot be written, adding ends', async () => {
  const zip = new ZipWriter(join(scratchFolder('zip-'), 'missing', 'one.zip'))
  const addAll = async (): Promise<void> => {
    for (let index = 0; index < ENTRIES; index += 1) await zip.add(`${index}.bin`, Readable.from([randomBytes(100_000)]), 0)
  }
  await expect(addAll()).rejects.toThrow('ENOENT')
  await expect(zip.addText('last.md', 'Text', 0)).rejects.toThrow('ENOENT')
  await zip.abandon()
})
