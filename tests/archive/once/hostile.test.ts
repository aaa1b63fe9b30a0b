import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { archiveLimits, ZipReader } from '../../../archive/src/zip_reader.ts'
import { makeZip, makeZipNamed, saved } from '../support/archives.ts'

async function refusal(path: string, limits = archiveLimits): Promise<string> {
  const opened = await ZipReader.open(path, limits).catch((error: Error) => error)
  if (opened instanceof Error) return opened.message
  opened.close()
  throw new Error('the archive was opened')
}

describe('an unsafe archive', () => {
  it.each([
    ['a path out of the archive', 'aa/bb/page.md', '../../page.md', /invalid relative path/],
    ['an absolute name', 'xetc/page.md', '/etc/page.md', /absolute path/],
    ['a name with a drive', 'Ccc/page.md', 'C:/page.mdd', /absolute path/],
    ['a name with backslashes', 'aa/bb/page.md', '..\\..\\page.m', /invalid characters/],
  ])('is refused for %s', async (_what, name, written, expected) => {
    expect(await refusal(await makeZipNamed(name, written.padEnd(name.length, 'x').slice(0, name.length)))).toMatch(expected)
  })

  it('is refused if it contains a symbolic link or a device', async () => {
    expect(await refusal(await makeZip({ 'page.md': '/etc/passwd' }, 0o120777))).toMatch(/page\.md is a symbolic link/)
    expect(await refusal(await makeZip({ 'page.md': '' }, 0o020666))).toMatch(/page\.md is not a regular file/)
  })

  it('is refused if a name occurs twice', async () => {
    const path = await makeZip({ 'page-1.md': 'one', 'page-2.md': 'two' })
    const bytes = readFileSync(path).toString('latin1').replaceAll('page-2.md', 'page-1.md')
    expect(await refusal(saved(Buffer.from(bytes, 'latin1')))).toMatch(/it contains page-1\.md twice/)
  })

  it('is refused if it exceeds a limit: number of entries, bytes of an entry, total bytes or compression ratio', async () => {
    const path = await makeZip({ 'a.md': 'x'.repeat(100_000), 'b.md': 'y'.repeat(100_000) })
    expect(await refusal(path, { ...archiveLimits, entries: 1 })).toMatch(/more than 1 entries/)
    expect(await refusal(path, { ...archiveLimits, entryBytes: 99_999 })).toMatch(/a\.md unpacks to more than 99999 bytes/)
    expect(await refusal(path, { ...archiveLimits, totalBytes: 199_999 })).toMatch(/it unpacks to more than 199999 bytes/)
    expect(await refusal(path, { ...archiveLimits, ratioFrom: 1_000 })).toMatch(/a\.md unpacks to more than 200 times its size/)
    const bomb = await makeZip({ 'bomb.md': Buffer.alloc(archiveLimits.ratioFrom + 1) })
    expect(await refusal(bomb)).toMatch(/bomb\.md unpacks to more than 200 times/)
  })

  it('is refused if two entries share bytes', async () => {
    const path = await makeZip({ 'a.md': Buffer.from('0123456789'.repeat(50)), 'b.md': Buffer.from('9876543210'.repeat(50)) })
    const bytes = readFileSync(path)
    // Both entries declare more compressed bytes than the file has.
    for (let at = bytes.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1'))
      bytes.writeUInt32LE(bytes.length - 100, at + 20)
    expect(await refusal(saved(bytes))).toMatch(/overlap/)
  })

  it('fails to unpack an entry that is longer than its declared size', async () => {
    const path = await makeZip({ 'a.md': 'x'.repeat(5_000) })
    const bytes = readFileSync(path)
    bytes.writeUInt32LE(10, bytes.indexOf('PK\x01\x02', 0, 'latin1') + 24)
    const zip = await ZipReader.open(saved(bytes))
    await expect(zip.text('a.md', 1_000)).rejects.toThrow(/too many bytes/)
    zip.close()
  })

  it('is refused if it is encrypted, truncated, or not a zip file', async () => {
    const path = await makeZip({ 'a.md': 'text' })
    const bytes = readFileSync(path)
    const locked = Buffer.from(bytes)
    const at = locked.indexOf('PK\x01\x02', 0, 'latin1') + 8
    locked.writeUInt16LE(locked.readUInt16LE(at) | 1, at)
    expect(await refusal(saved(locked))).toMatch(/a\.md is encrypted/)
    expect(await refusal(saved(bytes.subarray(0, 40)))).toMatch(/cannot be read/)
    expect(await refusal(saved(Buffer.from('# Notes\n')))).toMatch(/cannot be read/)
  })
})
