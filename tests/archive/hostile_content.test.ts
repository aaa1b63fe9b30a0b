import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { databaseOfFile, scratchFolder } from '../harness/databases.ts'
import type { JsonObject } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'
import { lossesOf, makeZip } from './support/archives.ts'

const store = await databaseOfFile()
const settings = { DATABASE_URL: store.url, FILES_URL: `file:${scratchFolder('files-')}` }
const cli = new InProcessCommandLine(store.url, settings)
await (await startTestServer(settings)).stop()

const imported = async (entries: Readonly<Record<string, string | Buffer>>): Promise<JsonObject> =>
  cli.json(
    'workspace',
    'import',
    await makeZip({ ...entries, 'Good.md': '# Good\n\nText\n' }),
    '--workspace',
    exampleWorkspace.workspace.id,
  )

const columns = (count: number, name: (index: number) => string): string => {
  const indexes = Array.from({ length: count }, (_column, index) => index)
  return `${indexes.map(name).join(',')}\n${indexes.join(',')}\n`
}
const short = (index: number): string => `c${index}`
const long = (index: number): string => `${index} ${'x'.repeat(95)}`

describe('workspace import accepts extreme content, and lists the parts that it omits:', () => {
  it.each<[what: string, entries: Readonly<Record<string, string | Buffer>>, lost: RegExp | undefined, made: object]>([
    [
      '5,000 columns',
      { 'T.csv': columns(5_000, short) },
      /^table: The table has 5000 columns, and a data source at most 500\./,
      { data_sources: 1, rows: 1 },
    ],
    ['20,000 columns', { 'T.csv': columns(20_000, short) }, /^table: The table has 20000 columns/, { data_sources: 1, rows: 1 }],
    [
      'a heading of 300 characters',
      { 'T.csv': columns(2, (index) => `${index}`.repeat(300)) },
      /^table: The name of column 2 /,
      {},
    ],
    ['long names of columns', { 'T.csv': columns(500, long) }, /^table: The table has 500 columns/, { data_sources: 1, rows: 1 }],
    [
      '15,000 nested folders',
      { [`${'a/'.repeat(15_000)}b.md`]: 'x' },
      /^page or table: It is more than 100 folders deep/,
      { pages: 1 },
    ],
    ['99 nested folders', { [`${'a/'.repeat(99)}b.md`]: 'x' }, undefined, {}],
    ['a name of 60,000 characters', { [`${'n'.repeat(60_000)}.md`]: 'x' }, /^the end of the title: /, { pages: 2 }],
    ['an unclosed quotation mark', { 'T.csv': 'Name,Note\na,"b\nc,d\n' }, /^table: It is not valid CSV/, { data_sources: 1 }],
    [
      'a cell of 5 MB',
      { 'T.csv': `Name,Note\na,${'x y '.repeat(1_250_000)}\n` },
      /^table: It is not valid CSV/,
      { data_sources: 1 },
    ],
    ['front matter of 10 MB', { 'F.md': `---\na: "${'b c d e '.repeat(1_250_000)}"\n---\nText\n` }, undefined, { pages: 2 }],
    ['a text of one line of 2 MB', { 'L.md': 'word '.repeat(400_000) }, /^block "word/, { pages: 2 }],
    ['10,000 nested quotes', { 'Q.md': `${'> '.repeat(10_000)}deep\n` }, undefined, { pages: 2 }],
    ['10,000 nested tags', { 'H.md': `${'<details>\n'.repeat(10_000)}deep\n` }, undefined, { pages: 2 }],
    ['10,000 nested brackets', { 'B.md': `${'['.repeat(10_000)}x${']('.repeat(10_000)}\n` }, undefined, { pages: 2 }],
    ['half a UTF-16 character', { 'U.md': Buffer.from([0xff, 0xfe, 0xfd]) }, /^text: The file is not text/, { pages: 2 }],
    ['an empty table', { 'E.csv': '' }, undefined, { data_sources: 1 }],
  ])('%s', async (_what, entries, lost, made) => {
    const outcome = await imported(entries)
    expect(outcome).toMatchObject(made)
    if (lost) expect(lossesOf(outcome)).toContainEqual(expect.stringMatching(lost))
  })
})

const lines = (count: number): string => 'word\n'.repeat(count)
const PICTURE = '![x](file-upload://00000000-0000-4000-8000-000000000000)\n'
const own = {
  'workspace.json': JSON.stringify({
    format: 'workspace-service pages',
    version: 1,
    workspace: { id: exampleWorkspace.workspace.id, name: 'Own' },
    pages: [],
    databases: [],
    left_out: [],
  }),
}

it('workspace import lists up to a hundred refused blocks of a text one by one, and the rest in groups', async () => {
  const one = lossesOf(await imported({ ...own, 'One.md': lines(500) + PICTURE + lines(500) }))
  expect(one).toEqual([expect.stringMatching(/^block "!\[x\]\(file-upload.*": /)])
  const many = lossesOf(await imported({ ...own, 'Many.md': lines(10) + PICTURE.repeat(300) }))
  // The last refused blocks are dropped together, because no more than a hundred are searched for.
  const alone = many.filter((loss) => loss.startsWith('block ')).length
  const grouped = many.flatMap((loss) => /^(\d+) blocks from "!\[x\]/.exec(loss)?.[1] ?? []).map(Number)
  expect([100, 101]).toContain(alone)
  expect(grouped.reduce((sum, count) => sum + count, alone)).toBe(300)
})

it('workspace import lists each picture that is neither in the archive nor on the web', async () => {
  const losses = lossesOf(await imported({ 'Many.md': lines(10) + PICTURE.repeat(300) }))
  expect(losses).toHaveLength(300)
  expect(new Set(losses)).toEqual(
    new Set([expect.stringMatching(/^image file-upload:.*: It was found neither in the archive nor on the web/)]),
  )
})

it('workspace import names the missing archive or report folder in its error', async () => {
  const none = `${scratchFolder('none-')}/none`
  expect(await cli.refusal(['workspace', 'import', `${none}.zip`], 1)).toMatch(/none\.zip: no such file or folder\n$/)
  const zip = await makeZip({ 'Good.md': 'x' })
  expect(await cli.refusal(['workspace', 'import', zip, '--report', `${none}/report.json`], 1)).toContain(
    `${none}/report.json: no such folder`,
  )
})
