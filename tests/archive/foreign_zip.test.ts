import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { archiveLimits } from '../../archive/src/zip_reader.ts'
import { openArchive } from '../../archive/src/open_archive.ts'
import { scratchFolder } from '../harness/databases.ts'
import { lossesOf, makeZip } from './support/archives.ts'
import { importer, type Entries } from './support/importer.ts'

const { cli, drop, exported, importAs, importPath, names } = await importer()
afterAll(drop)

const zipOf = async (entries: Entries): Promise<Buffer> => readFileSync(await makeZip(entries))

const layers = async (count: number): Promise<Entries> =>
  count === 0 ? { 'Page.md': 'Text' } : { 'z.zip': await zipOf(await layers(count - 1)) }

const withoutPages: readonly (readonly [what: string, entries: Entries, message: RegExp])[] = [
  ['a zip file of a picture', { 'a.bin': 'x' }, /found 1 files, such as a\.bin/],
  ['an empty zip file', {}, /found no files/],
  ['a zip file of an empty zip file', { 'a.zip': await zipOf({}) }, /found no files/],
  ['a zip file with a damaged part', { 'a.zip': 'x' }, /^error: a\.zip: The archive cannot be read: .*[^.]\.\n$/],
  ['zip files nested deeper than the limit', await layers(5), /found 1 files, such as z\.zip/],
]

describe('workspace import of a zip file in parts', () => {
  it('merges the pages of several zip files in a zip file into one tree', async () => {
    const outcome = await importAs('Parts', {
      'Export-1-Part-1.zip': await zipOf({
        'Home.md': '# Home\n\n[Inner](Home/Inner.md)\n',
        'Home/Deep.zip': await zipOf({ 'A.md': 'A' }),
      }),
      'Export-1-Part-2.zip': await zipOf({ 'Home/Inner.md': '# Inner\n\nText\n' }),
    })
    expect(outcome).toMatchObject({ pages: 2 })
    expect(lossesOf(outcome)).toEqual(['file: No page links to it.'])
    const files = await exported('Parts')
    expect(Object.keys(files)).toEqual(['Home.md', 'Home/Inner.md'])
    expect(files['Home.md']).toContain('<page url="Home/Inner.md">')
  })

  it('keeps both files when two parts contain a file of the same name', async () => {
    const part = (text: string): Promise<Buffer> => zipOf({ 'Page.md': text })
    const outcome = await importAs('Twice', { '1.zip': await part('One'), '2.zip': await part('Two') })
    expect(outcome).toMatchObject({ pages: 3, left_out: [] })
    expect(Object.keys(await exported('Twice'))).toEqual(['2.md', '2/Page.md', 'Page.md'])
  })

  it('creates pages from zip files nested in each other, and in a folder', async () => {
    const inner = await zipOf({ 'Page.md': 'Text' })
    expect(await importAs('Layers', { 'a.zip': await zipOf({ 'b.zip': inner }), 'c.zip': inner })).toMatchObject({ pages: 3 })
    expect(Object.keys(await exported('Layers'))).toEqual(['Page.md', 'c.md', 'c/Page.md'])
    const folder = scratchFolder('parts-')
    writeFileSync(join(folder, 'Part-1.zip'), inner)
    expect(await importPath('Unpacked', folder)).toMatchObject({ pages: 1, left_out: [] })
  })

  it('keeps zip files beside pages as files', async () => {
    const outcome = await importAs('Beside', { 'Page.md': '[data](data.zip)', 'data.zip': await zipOf({ 'Other.md': 'Text' }) })
    expect(outcome).toMatchObject({ pages: 1 })
  })

  it('applies the limits to the sum of all parts', async () => {
    const part = await zipOf({ 'A.md': 'x'.repeat(600) })
    const path = await makeZip({ '1.zip': part, '2.zip': part })
    await expect(openArchive(path, { ...archiveLimits, totalBytes: 1_000 })).rejects.toThrow(/more than 400 bytes/)
    await expect(openArchive(path, { ...archiveLimits, entries: 1 })).rejects.toThrow(/more than 1 entries/)
  })
})

describe('workspace import of a source without pages', () => {
  it.each(withoutPages)('fails with exit code 1 and creates nothing: %s', async (_what, entries, message) => {
    const before = await names()
    expect(await cli.refusal(['workspace', 'import', await makeZip(entries)], 1)).toMatch(message)
    expect(await names()).toEqual(before)
  })
})

describe('workspace import of a folder or a file', () => {
  it('creates pages from a folder, and follows no symbolic links', async () => {
    const folder = join(scratchFolder('notes-'), 'Vault')
    mkdirSync(join(folder, 'Sub'), { recursive: true })
    writeFileSync(join(folder, 'Sub', 'Note.md'), 'Text')
    writeFileSync(join(folder, 'Top.md'), 'Top')
    symlinkSync('/etc/passwd', join(folder, 'passwd.md'))
    expect(await importPath('Folder', folder)).toMatchObject({ pages: 3 })
    expect(Object.keys(await exported('Folder'))).toEqual(['Sub.md', 'Sub/Note.md', 'Top.md'])
  })

  it('creates a data source from a CSV file alone', async () => {
    const path = join(scratchFolder('csv-'), 'Boats.csv')
    writeFileSync(path, 'Name;Length\nHeron;7\n')
    expect(await importPath('Alone', path)).toMatchObject({ pages: 0, data_sources: 1, rows: 1, left_out: [] })
    expect(await exported('Alone')).toEqual({ 'Boats.csv': 'Name,Length,Row\r\nHeron,7,Heron\r\n' })
  })
})
