import { afterAll, describe, expect, it } from 'vitest'
import { png } from '../harness/files.ts'
import { lossesOf } from './support/archives.ts'
import { importer } from './support/importer.ts'

const { drop, exported, importAs } = await importer()
afterAll(drop)

const hex = (digit: number): string => digit.toString(16).repeat(32)

describe('workspace import of an exported table', () => {
  it('creates one data source from the two CSV files of a table, and finds the page of each row', async () => {
    const [table, long] = [hex(1), `Heron ${'with a very long name '.repeat(6)}`.trim()]
    const rows = ['v1.2 (draft)', long, '', 'Twin', 'Twin', 'C++', 'C', '']
    const csv = (names: readonly string[]): string =>
      `Name,Status\n${names.map((name, index) => `"${name}",${index === 3 ? 'Open' : 'Done'}`).join('\n')}\n`
    const outcome = await importAs('Pair', {
      [`Home ${hex(9)}.md`]: `# Home\n\n[Boats](Home/Boats%20${table}.csv)\n\n[Twin](Home/Boats/Twin%20${hex(6)}.md) and [Twin](Home/Boats/Twin%20${hex(5)}.md)\n`,
      [`Home/Boats ${table}.csv`]: csv(rows.slice(0, 2)),
      [`Home/Boats ${table}_all.csv`]: csv(rows),
      [`Home/Boats/v1 2 (draft) ${hex(2)}.md`]: '# v1.2 (draft)\n\nStatus: Done\n\nDots\n',
      [`Home/Boats/${long.slice(0, 50).trim()} ${hex(3)}.md`]: `# ${long}\n\nStatus: Done\n\nCut\n`,
      [`Home/Boats/Untitled ${hex(4)}.md`]: '# Untitled\n\nStatus: Done\n\nEmpty\n',
      [`Home/Boats/Untitled ${hex(8)}.md`]: '# \n\nStatus: Done\n\nEmpty, too\n',
      [`Home/Boats/Twin ${hex(5)}.md`]: '# Twin\n\nStatus: Done\n\nThe second\n',
      [`Home/Boats/Twin ${hex(6)}.md`]: '# Twin\n\nStatus: Open\n\nThe first\n',
      [`Home/Boats/C ${hex(7)}.md`]: '# C\n\nStatus: Done\n\nThe language\n',
    })
    expect(outcome).toMatchObject({ pages: 1, data_sources: 1, rows: 8, left_out: [] })
    const files = await exported('Pair')
    expect(Object.keys(files)).toEqual([
      'Home.md',
      'Home/Boats.csv',
      'Home/Boats/C.md',
      ...Object.keys(files).filter((path) => path.includes('very long')),
      'Home/Boats/Twin (2).md',
      'Home/Boats/Twin.md',
      'Home/Boats/Untitled (2).md',
      'Home/Boats/Untitled.md',
      'Home/Boats/v1.2 (draft).md',
    ])
    expect(files['Home/Boats/Twin.md']).toBe('# Twin\n\nThe first\n')
    expect(files['Home/Boats/Twin (2).md']).toBe('# Twin\n\nThe second\n')
    expect(files['Home/Boats/Untitled.md']).toBe('# \n\nEmpty\n')
    expect(files['Home/Boats/Untitled (2).md']).toBe('# \n\nEmpty, too\n')
    expect(files['Home.md']).toContain('[Twin](Home/Boats/Twin.md) and [Twin](Home/Boats/Twin%20%282%29.md)')
    expect(String(files['Home/Boats.csv']).split('\r\n').slice(4, 6)).toEqual(['Twin,Open,Twin', 'Twin,Done,Twin (2)'])
  })

  it('distinguishes rows of two tables with the same name', async () => {
    const outcome = await importAs('Same', {
      [`T ${hex(1)}.csv`]: 'Name,N\nHeron,1\nTeal,2\n',
      [`T ${hex(2)}.csv`]: 'Name,N\nHeron,3\nGull,4\n',
      [`T/Heron ${hex(3)}.md`]: '# Heron\n\nN: 3\n\nThird\n',
      [`T/Heron ${hex(4)}.md`]: '# Heron\n\nN: 1\n\nFirst\n',
      [`T/Gull ${hex(5)}.md`]: '# Gull\n\nN: 4\n\nFourth\n',
      [`T/Other ${hex(6)}.md`]: '# Other\n\nN: 5\n',
    })
    expect(outcome).toMatchObject({ data_sources: 2, rows: 5, left_out: [] })
    const files = await exported('Same')
    expect(Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('.md')))).toEqual({
      'T/Heron.md': '# Heron\n\nFirst\n',
      'T (2)/Heron.md': '# Heron\n\nThird\n',
      'T (2)/Gull.md': '# Gull\n\nFourth\n',
    })
    expect(files['T (2).csv']).toContain('Other,5,Other')
  })

  it('creates rows from files without a CSV record, with the values in the files', async () => {
    const outcome = await importAs('Rest', {
      [`Boats ${hex(1)}.csv`]: 'Name,Length,Since\nHeron,7,"December 1, 2024"\n',
      [`Boats ${hex(1)}/Teal ${hex(2)}.md`]: '# Teal\n\nLength: 5\nSince: May 2, 2023\n\nSmall\n',
    })
    expect(outcome).toMatchObject({ rows: 2, left_out: [] })
    const files = await exported('Rest')
    expect(files['Boats.csv']).toBe('Name,Length,Since,Row\r\nHeron,7,2024-12-01,Heron\r\nTeal,5,2023-05-02,Teal\r\n')
    expect(files['Boats/Teal.md']).toBe('# Teal\n\nSmall\n')
  })

  it('creates relations from columns that name rows', async () => {
    const outcome = await importAs('Related', {
      [`Boats ${hex(1)}.csv`]: `Name,Berth\nHeron,"North (Berths/North%20${hex(4)}.md), A (b) (Berths/A%20${hex(5)}.md)"\nTeal,\n`,
      [`Boats/Heron ${hex(2)}.md`]: `# Heron\n\nBerth: North (../Berths/North%20${hex(4)}.md), A (b) (../Berths/A%20${hex(5)}.md)\n`,
      [`Berths ${hex(3)}.csv`]: 'Name,Boats\nNorth,Heron\nA (b),\n',
      [`Berths/North ${hex(4)}.md`]: '# North\n',
      [`Berths/A ${hex(5)}.md`]: '# A (b)\n',
    })
    expect(outcome).toMatchObject({ rows: 4, left_out: [] })
    const files = await exported('Related')
    expect(files['Boats.csv']).toBe('Name,Berth,Row\r\nHeron,"North\nA (b)",Heron\r\nTeal,,Teal\r\n')
    expect(files['Boats/Heron.md']).toBeUndefined()
  })

  it('creates file properties from columns that name files of the archive', async () => {
    const csv =
      'Name,Files,Web,Mixed\nHeron,"Boats/Heron/a%20(1).png, https://example.org/b.pdf",https://example.org,Boats/Heron/c.txt\n'
    const outcome = await importAs('Filed', {
      [`Boats ${hex(1)}.csv`]: `${csv}Teal,Boats/d.txt,,text\n`,
      [`Boats/Heron ${hex(2)}.md`]: '# Heron\n\nFiles: Heron/a%20(1).png, https://example.org/b.pdf\n',
      'Boats/Heron/a (1).png': png,
      'Boats/Heron/c.txt': 'Not a file of a list of files',
      'Boats/d.txt': 'Text',
    })
    expect(outcome).toMatchObject({ rows: 2, found: { files: 3 }, files: 2 })
    expect(lossesOf(outcome)).toEqual(['file: No page links to it.'])
    const files = await exported('Filed')
    expect(files['Boats.csv']).toContain('(https://example.org/b.pdf)')
    expect(Object.keys(files).filter((path) => path.includes('/files/'))).toHaveLength(2)
  })

  it("keeps lines of a row's file that its CSV record lacks", async () => {
    await importAs('Lines', {
      'T.csv': 'Name,Note,Hidden\nHeron,"Two\nlines",\n',
      'T/Heron.md': '# Heron\n\nNote: Two\nlines\nHidden: Shown\nOther: text\n\nBody\n',
    })
    expect((await exported('Lines'))['T/Heron.md']).toBe('# Heron\n\nHidden: Shown\n\nOther: text\n\nBody\n')
  })
})

describe('workspace import of a CSV file', () => {
  const wide = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le')
  it.each([
    ['semicolons', 'Name;Length\r\n"A;B";7\r\n'],
    ['tabs', 'Name\tLength\nA;B\t7\n'],
    ['a line that names its delimiter', 'sep=;\nName;Length\n"A;B";7\n'],
    ['a byte order mark', '\uFEFFName,Length\nA;B,7\n'],
    ['UTF-16, little-endian', wide('Name;Length\n"A;B";7\n')],
    ['UTF-16, big-endian', wide('Name;Length\n"A;B";7\n').swap16()],
    ['UTF-16 without a byte order mark', Buffer.from('Name;Length\n"A;B";7\n', 'utf16le')],
  ])('reads %s', async (what, content) => {
    const outcome = await importAs(what, { 'T.csv': content })
    expect(outcome).toMatchObject({ rows: 1, left_out: [] })
    expect((await exported(what))['T.csv']).toBe('Name,Length,Row\r\nA;B,7,A;B\r\n')
  })

  it('reads quotes within cells, and lists an unclosed quote', async () => {
    const outcome = await importAs('Quotes', {
      'T.csv': 'Name,Length\n5" pipe,2\n"a ""b""\nc",3\n',
      'U.csv': 'Name,Length\nHeron,1\n"Teal,2\n',
    })
    expect(lossesOf(outcome)).toEqual([expect.stringMatching(/^table: It is not valid CSV: Quote Not Closed/)])
    const files = await exported('Quotes')
    expect(files['U.csv']).toBe('Name,Length,Row\r\nHeron,1,Heron\r\n')
    expect(files['T.csv']).toBe('Name,Length,Row\r\n"5"" pipe",2,5 pipe\r\n"a ""b""\nc",3,a b c\r\n')
  })

  it('reads Latin-1, even if the first accented letter is far from the start', async () => {
    const text = `Name,Ort\n${`x,${'y'.repeat(1_900)}\n`.repeat(40)}Jörg,Süd\n`
    const outcome = await importAs('Latin', { 'T.csv': Buffer.from(text, 'latin1'), 'Page.md': Buffer.from('Süd', 'latin1') })
    expect(lossesOf(outcome)).toEqual([])
    const files = await exported('Latin')
    expect(files['T.csv']).toContain('Jörg,Süd,Jörg\r\n')
    expect(files['Page.md']).toBe('# Page\n\nSüd\n')
  })
})
