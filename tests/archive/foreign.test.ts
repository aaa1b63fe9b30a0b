import { afterAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makeDatabase as makeStore, scratchFolder } from '../harness/databases.ts'
import { plainValues } from '../harness/databases_content.ts'
import { png } from '../harness/files.ts'
import { at, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { filesOf, lossesOf, makeZip, newPath } from './support/archives.ts'

const store = await makeStore()
afterAll(() => store.drop())
const settings = { DATABASE_URL: store.url, FILES_URL: `file:${scratchFolder('files-')}` }
const cli = new InProcessCommandLine(store.url, settings)
await (await startTestServer(settings)).stop()
const workspace = exampleWorkspace.workspace.id

/** Runs `work` with the service on this test's data. */
async function served<T>(work: (server: TestServer) => Promise<T>): Promise<T> {
  const server = await startTestServer(settings)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

const importAs = async (
  name: string,
  entries: Readonly<Record<string, string | Buffer>>,
  ...words: string[]
): Promise<JsonObject> =>
  cli.json('workspace', 'import', await makeZip(entries), '--workspace', workspace, '--name', name, ...words)

const names = async (): Promise<unknown[]> => resultsOf(await cli.json('workspace', 'list')).map(({ name }) => name)

/** The result of an import, exported again. */
async function exported(name: string): Promise<Record<string, unknown>> {
  const path = newPath()
  await cli.json('workspace', 'export', workspace, path, '--format', 'markdown')
  const files = Object.entries(await filesOf(path))
  return Object.fromEntries(
    files.flatMap(([file, content]) => (file.startsWith(`${name}/`) ? [[file.slice(name.length + 1), content]] : [])),
  )
}

describe('workspace import of an archive from another program', () => {
  it('creates pages, data sources, files and links; columns of unclear type become text', async () => {
    const id = '0123456789abcdef0123456789abcdef'
    const outcome = await importAs('Notes', {
      [`Home ${id}.md`]: `# Home *of* notes\r\n\r\nSee [Boats](Home%20${id}/Boats.csv) and [the log](Folder/Log.md).\r\n\r\n[Inner](Home%20${id}/Inner.md)\r\n\r\n\`[Inner](Home/Inner.md)\`\r\n\r\n![Tide](tide.png)\r\n\r\n[missing](nowhere.md)\r\n`,
      [`Home ${id}/Inner.md`]: 'No heading\n\n| Boat | Berth |\n|---|---|\n| Heron | 14 |\n',
      [`Home ${id}/Boats.csv`]:
        '\uFEFFName,Length,Code,Sold,Since,Mail\r\nHeron,7.5,007,No,2020-05-01,a@b.example\r\n"Sand, piper",6,12,Yes,,\r\n',
      [`Home ${id}/Boats/Heron ${id}.md`]: '# Heron\n\nA wooden boat\n',
      'Folder/Log.md': '---\ntags: [a]\nicon: 🎯\n---\n# Log\n\n- one\n- two\n',
      'tide.png': png,
      '__MACOSX/._Log.md': 'x',
      'unused.bin': 'x',
    })
    expect(lossesOf(outcome).toSorted()).toEqual([
      '"tags" before the text: A page cannot store it.',
      'file: No page links to it.',
      'link to nowhere.md: The archive does not contain the file. The text of the link was kept.',
    ])
    const files = await exported('Notes')
    expect(Object.keys(files)).toEqual([
      'Folder.md',
      'Folder/Log.md',
      'Home of notes.md',
      'Home of notes/Boats.csv',
      'Home of notes/Boats/Heron.md',
      'Home of notes/Inner.md',
      'Home of notes/files/tide.png',
    ])
    expect(files['Home of notes.md']).toBe(
      [
        '# Home of notes',
        'See [Boats](Home%20of%20notes/Boats.csv) and [the log](Folder/Log.md).',
        '<page url="Home%20of%20notes/Inner.md">[Inner](Home%20of%20notes/Inner.md)</page>',
        '`[Inner](Home/Inner.md)`',
        '![Tide](Home%20of%20notes/files/tide.png)',
        'missing',
        '<database url="Home%20of%20notes/Boats.csv" inline="false">[Boats](Home%20of%20notes/Boats.csv)</database>',
        '',
      ]
        .join('\n\n')
        .trimEnd() + '\n',
    )
    expect(files['Home of notes/Boats.csv']).toBe(
      'Name,Length,Code,Sold,Since,Mail,Row\r\nHeron,7.5,007,No,2020-05-01,a@b.example,Heron\r\n"Sand, piper",6,12,Yes,,,"Sand, piper"\r\n',
    )
    expect(files['Folder/Log.md']).toBe('---\nicon: 🎯\n---\n# Log\n\n- one\n- two\n')
    expect(files['Home of notes/Boats/Heron.md']).toBe('# Heron\n\nA wooden boat\n')
    expect(files['Home of notes/files/tide.png']).toBe(png.toString('base64'))
    await served(async ({ owner }) => {
      const found = await owner.call('search', { body: { query: 'Sand, piper' } })
      const row = resultsOf(found.body).find((page) => textAt(page, 'object') === 'page') ?? {}
      expect(plainValues(row)).toMatchObject({ Length: 6, Sold: true, Since: null })
    })
  })

  it('creates a workspace with an owner, and removes its own connection afterwards', async () => {
    const path = await makeZip({ 'One.md': 'Text' })
    const outcome = await cli.json(
      'workspace',
      'import',
      path,
      '--name',
      'Reading',
      '--owner-name',
      'Nora Lind',
      '--email',
      'nora@boats.example',
    )
    expect(outcome).toMatchObject({ page_id: null, pages: 1, data_sources: 0, rows: 0, files: 0, left_out: [] })
    const id = textAt(outcome, 'workspace_id')
    expect(await names()).toContain('Reading')
    expect(resultsOf(await cli.json('connection', 'list', '--workspace', id))).toEqual([])
    expect(resultsOf(await cli.json('user', 'list', '--workspace', id)).map((user) => at(user, 'role'))).toContain('owner')
    const again = newPath()
    await cli.json('workspace', 'export', 'Reading', again, '--format', 'markdown')
    expect((await filesOf(again))['One.md']).toBe('# One\n\nText\n')
  })

  it('lists texts and tables that contain binary data, and continues', async () => {
    const zeros = Buffer.from([0x41, 0, 0, 0, 0x42, 0x43])
    const outcome = await importAs('Bytes', {
      'Good.md': 'Good',
      'Bad.md': zeros,
      'Table.csv': Buffer.concat([Buffer.from('Name\r\nOne\r\n'), zeros]),
    })
    expect(lossesOf(outcome).toSorted()).toEqual(['table: The file is not text.', 'text: The file is not text.'])
    expect(Object.keys(await exported('Bytes'))).toEqual(['Bad.md', 'Good.md', 'Table.csv'])
  })

  it('distinguishes rows with the same name, whether or not they have files of their own', async () => {
    const outcome = await importAs('Twins', {
      'T.csv': 'Name\r\nHeron\r\nHeron\r\nHeron\r\n',
      'T/Heron.md': '# Heron\n\nFirst',
      'T/Other.md': '# Other\n\nWithout a record',
    })
    expect(outcome).toMatchObject({ rows: 4, left_out: [] })
    const files = await exported('Twins')
    expect(files['T.csv']).toBe('Name,Row\r\nHeron,Heron\r\nHeron,Heron (2)\r\nHeron,Heron (3)\r\nOther,Other\r\n')
    expect(files['T/Heron.md']).toBe('# Heron\n\nFirst\n')
    expect(files['T/Other.md']).toBe('# Other\n\nWithout a record\n')
  })

  it('lists what the service refuses, and keeps the rest of the page', async () => {
    const outcome = await importAs('Refused', {
      'Page.md': `Before\n\n![x](https://example.org/${'a'.repeat(1_990)}.png)\n\n$$\n${'x'.repeat(2_000)}\n$$\n\nAfter`,
      'movie.exe': 'MZ',
      'Files.md': '[program](movie.exe)',
    })
    expect(lossesOf(outcome).some((loss) => loss.startsWith('file: The service does not accept files of this type'))).toBe(true)
    const { 'Page.md': page } = await exported('Refused')
    expect(page).toMatch(/^# Page\n\nBefore\n/)
    expect(page).toMatch(/After\n$/)
  })
})

describe('a workspace import that fails', () => {
  const damaged = {
    'workspace.json':
      '{"format":"workspace-service pages","version":1,"workspace":{"id":"x","name":"Broken"},"pages":[],"databases":[{}],"left_out":[]}',
    'A.md': 'Text',
  }

  it('creates nothing from an archive that is damaged, too new, or not an archive', async () => {
    const before = await names()
    expect(await cli.refusal(['workspace', 'import', await makeZip(damaged)], 1)).toMatch(/workspace\.json is damaged/)
    const newer = { 'workspace.json': JSON.stringify({ format: 'workspace-service pages', version: 2 }) }
    expect(await cli.refusal(['workspace', 'import', await makeZip(newer)], 1)).toMatch(/expected version 1, found 2/)
    expect(await cli.refusal(['workspace', 'import', await makeZip({ 'page.md': 'x' }, 0o120777)], 1)).toMatch(/symbolic link/)
    expect(await names()).toEqual(before)
  })

  it('deletes the workspace or trashes the page that it created', async () => {
    // The text of the second page does not match its checksum, which is only noticed when it is read.
    const path = await makeZip({ 'A.md': '# A', 'B.md': `# B\n\n${'text '.repeat(50)}` })
    const { readFileSync, writeFileSync } = await import('node:fs')
    const bytes = readFileSync(path)
    const start = bytes.indexOf('B.md') + 'B.md'.length
    bytes.fill(0xff, start, start + 8)
    writeFileSync(path, bytes)
    const before = await names()
    const refused = await cli.run(['workspace', 'import', path, '--name', 'Half'])
    expect(refused.errors).toMatch(/^error: The archive cannot be read: B\.md: .*\.\n$/)
    expect(await names()).toEqual(before)
    const below = await cli.run(['workspace', 'import', path, '--workspace', workspace, '--name', 'Half a page'])
    expect({ code: below.code, errors: below.errors }).toEqual({ code: 1, errors: refused.errors })
    const exportedPath = newPath()
    await cli.json('workspace', 'export', workspace, exportedPath, '--format', 'markdown')
    expect(Object.keys(await filesOf(exportedPath)).filter((file) => file.startsWith('Half'))).toEqual([])
  })

  it('is refused for contradictory options, a missing source and a name in use', async () => {
    const path = await makeZip({ 'A.md': 'Text' })
    expect(await cli.refusal(['workspace', 'import', path, '--email', 'a@b.example'], 2)).toMatch(
      /give both --owner-name and --email/,
    )
    expect(
      await cli.refusal(
        ['workspace', 'import', path, '--workspace', workspace, '--owner-name', 'A', '--email', 'a@b.example'],
        2,
      ),
    ).toMatch(/Only a new workspace gets an owner/)
    expect(await cli.refusal(['workspace', 'import', `${path}.missing`], 1)).toMatch(/no such file/)
    expect(await cli.refusal(['workspace', 'export', workspace, path, '--format', 'markdown'], 1)).toMatch(/already exists/)
    expect(await cli.refusal(['workspace', 'import', path, '--name', exampleWorkspace.workspace.name], 1)).toMatch(
      /A workspace named .* already exists/,
    )
  })
})
