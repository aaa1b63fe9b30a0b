import { afterAll, describe, expect, it } from 'vitest'
import { png } from '../harness/files.ts'
import { lossesOf, makeZip } from './support/archives.ts'
import { importer, type Entries } from './support/importer.ts'

const { cli, drop, importAs } = await importer()
afterAll(drop)

const hex = (digit: number): string => digit.toString(16).repeat(32)
const html = (title: string, body: string): string =>
  `<html><head><title>${title}</title></head><body><h1 class="page-title">${title}</h1><div class="page-body">${body}</div></body></html>`

/** Archives of other programs that can be imported completely, with the counts of their content. */
const formats: readonly (readonly [format: string, entries: Entries, counts: Readonly<Record<string, number>>])[] = [
  [
    'a Markdown and CSV export',
    {
      [`Home ${hex(1)}.md`]: `# Home\n\n[Boats](Home/Boats%20${hex(2)}.csv)\n\n<aside>\n💡 See [Log](Home/Log%20${hex(3)}.md)\n\n</aside>\n\n## Plan\n\n![Tide](Home/tide.png)\n`,
      [`Home/Log ${hex(3)}.md`]: '# Log\n\n[plan.pdf](Log/plan.pdf)\n',
      'Home/Log/plan.pdf': '%PDF-1.4',
      'Home/tide.png': png,
      [`Home/Boats ${hex(2)}.csv`]: '\uFEFFName\nHeron\n',
      [`Home/Boats ${hex(2)}_all.csv`]: '\uFEFFName,Length\nHeron,7\nTeal,5\n',
      [`Home/Boats/Heron ${hex(4)}.md`]: '# Heron\n\nLength: 7\n\n### Rig\n',
    },
    { pages: 2, data_sources: 1, rows: 2, files: 2, headings: 5, pictures: 1, links: 3 },
  ],
  [
    'an HTML export',
    {
      [`Home ${hex(1)}.html`]: html(
        'Home',
        `<h2>Plan</h2><figure class="link-to-page"><a href="Home/Log%20${hex(3)}.html">Log</a></figure><figure class="image"><a href="Home/tide.png"><img src="Home/tide.png"/></a></figure><div class="collection-content"><table><tr><td><a href="Home/Boats/Heron%20${hex(4)}.html">Heron</a></td></tr></table></div>`,
      ),
      [`Home/Log ${hex(3)}.html`]: html('Log', '<p><a href="https://example.org">Web</a></p>'),
      'Home/tide.png': png,
      [`Home/Boats ${hex(2)}.csv`]: 'Name\nHeron\n',
      [`Home/Boats/Heron ${hex(4)}.html`]: html('Heron', '<h3>Rig</h3>'),
    },
    { pages: 2, data_sources: 1, rows: 1, files: 1, headings: 2, pictures: 1, links: 3 },
  ],
  [
    'a vault',
    {
      'Index.md': '# Start\n\n[[Deep|there]] ![[tide.png]] ![[Deep]] ![[plan.pdf]]\n',
      'Folder/Deep.md': 'Back to [[Index]]\n',
      'Files/tide.png': png,
      'Files/plan.pdf': '%PDF-1.4',
    },
    { pages: 3, data_sources: 0, rows: 0, files: 2, headings: 1, pictures: 1, links: 4 },
  ],
  [
    'a folder of Markdown',
    {
      'README.md': 'Boats\n=====\n\n[guide](docs/guide.md) <img src="img/tide.png"> [same](img/tide.png)\n',
      'docs/guide.md': '# Guide\n\n[up][1] ![](../img/tide.png)\n\n[1]: ../README.md\n',
      'img/tide.png': png,
    },
    { pages: 3, data_sources: 0, rows: 0, files: 1, headings: 2, pictures: 3, links: 2 },
  ],
  ['a table alone', { 'Boats.csv': 'Name;Length\nHeron;7\nTeal;5\n' }, { pages: 0, data_sources: 1, rows: 2, files: 0 }],
]

describe('the summary of an import', () => {
  it.each(formats)(
    'shows equal counts for the archive and the workspace if nothing of %s is omitted',
    async (format, entries, counts) => {
      expect(await importAs(format, entries)).toMatchObject({ ...counts, found: counts, left_out: [] })
    },
  )

  it('counts pages, rows, files, headings, pictures and links in the archive and the workspace, and lists each difference', async () => {
    const long = 'x'.repeat(1_990)
    const outcome = await importAs('Counted', {
      'Page.md': `# Page\n\n## Two [link](https://example.org) [gone](gone.md)\n\n![a](https://example.org/a.png) ![b](b.png)\n\n[long](https://example.org/${long})\n`,
      'T.csv': 'Name\nHeron\n',
      'other.bin': 'x',
    })
    expect(outcome).toMatchObject({
      found: { pages: 1, data_sources: 1, rows: 1, files: 1, headings: 2, pictures: 2, links: 3 },
      pages: 1,
      data_sources: 1,
      rows: 1,
      files: 0,
      headings: 2,
      pictures: 1,
      links: 1,
    })
    expect(lossesOf(outcome)).toEqual([
      'link to gone.md: The archive does not contain the file. The text of the link was kept.',
      'image b.png: It was found neither in the archive nor on the web. Its description was kept.',
      `link to https://example.org/${'x'.repeat(80)}…: The service does not support links to addresses of this kind. The text of the link was kept.`,
      'file: No page links to it.',
    ])
  })

  it('lists broken links and pictures in an export of this service', async () => {
    const manifest = { format: 'workspace-service pages', version: 1, pages: [], databases: [], left_out: [] }
    const outcome = await importAs('Own', {
      'workspace.json': JSON.stringify({ ...manifest, workspace: { id: hex(1), name: 'Own' } }),
      'A.md': '# A\n\n## B\n[c](gone.md) [d](A.md) `[e](gone.md)`\n![f](gone.png)\n<page url="G.md">[G](G.md)</page>\n',
    })
    expect(outcome).toMatchObject({ found: { headings: 1, pictures: 1, links: 3 }, headings: 1, pictures: 0, links: 1 })
    expect(lossesOf(outcome)).toEqual([
      'link to "G": The archive does not contain the page G.md.',
      '2 links or pictures: They were lost when the text was converted to blocks.',
    ])
  })

  it('is printed in the terminal', async () => {
    const { output } = await cli.run([
      'workspace',
      'import',
      await makeZip({ 'A.md': '# A\n\n[x](https://example.org)' }),
      '--name',
      'Printed',
    ])
    expect(output).toMatch(/^pages +1 +1$/m)
    expect(output).toMatch(/^links +1 +1$/m)
    expect(output).toMatch(/Nothing was left out\./)
  })
})
