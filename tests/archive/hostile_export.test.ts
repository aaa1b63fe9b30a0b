import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { parseConfig } from '../../server/config.ts'
import type { Manifest } from '../../server/domain/workspace_archive/archive.ts'
import { newId } from '../../server/kernel/ids.ts'
import { openDatabase } from '../../server/store/open.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase, scratchFolder } from '../harness/databases.ts'
import { png, upload } from '../harness/files.ts'
import { textAt } from '../harness/json.ts'
import { startTestServer, TOKEN } from '../harness/server.ts'
import { rowsOfWorkspace } from '../harness/workspace_rows.ts'

const { id: WORKSPACE } = story.workspace
const folder = scratchFolder('hostile-')
const exported = join(folder, 'exported')
const copy = join(folder, 'copy')

const source = await makeDatabase('newest')
const target = await makeDatabase('newest')
const settingsOf = (name: string, url: string): { DATABASE_URL: string; FILES_URL: string } => ({
  DATABASE_URL: url,
  FILES_URL: `file:${join(folder, name)}`,
})
const targetSettings = settingsOf('target', target.url)
const cli = new InProcessCommandLine(target.url, targetSettings)
/** A workspace that is in the target already. */
let other: string

beforeAll(async () => {
  const settings = settingsOf('source', source.url)
  const server = await startTestServer(settings)
  const file = { type: 'file_upload', file_upload: { id: await upload(server.owner, png, 'dock.png') } }
  await makePage(server.owner, 'Dock', undefined, [{ image: file }])
  await server.stop()
  await new InProcessCommandLine(source.url, settings).json('workspace', 'export', WORKSPACE, exported)
  await cli.json('migrate')
  other = textAt(await cli.json('workspace', 'create', 'Sail loft'), 'id')
})
afterAll(async () => {
  for (const database of [source, target]) await database.drop()
})

type Row = (string | number | null)[]
type Edit = (row: Record<string, unknown>) => void

/** A copy of the export whose digests and counts are right again after a change: only its content can be what is refused. */
function forged(change: (manifest: Mutable<Manifest>) => void): string {
  rmSync(copy, { recursive: true, force: true })
  cpSync(exported, copy, { recursive: true })
  const path = join(copy, 'workspace.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Mutable<Manifest>
  change(manifest)
  for (const table of manifest.tables) {
    const text = readFileSync(join(copy, 'tables', `${table.name}.jsonl`))
    Object.assign(table, {
      rows: text.toString().split('\n').length - 1,
      sha256: createHash('sha256').update(text).digest('hex'),
    })
  }
  const files = readFileSync(join(copy, 'files.jsonl'))
  Object.assign(manifest, { files_sha256: createHash('sha256').update(files).digest('hex') })
  writeFileSync(path, JSON.stringify(manifest))
  return copy
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer V)[] ? V[] : T[K] }

/** Changes the first row of a table for which `isMeant` holds. */
function edited(table: string, edit: Edit, isMeant: (row: Record<string, unknown>) => boolean = () => true): () => string {
  return () =>
    forged((manifest) => {
      const path = join(copy, 'tables', `${table}.jsonl`)
      const columns = manifest.tables.find(({ name }) => name === table)?.columns ?? []
      let isDone = false
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
      const changed = lines.map((line) => {
        const values = JSON.parse(line) as Row
        const row: Record<string, unknown> = Object.fromEntries(columns.map((name, index) => [name, values[index]]))
        if (isDone || !isMeant(row)) return line
        isDone = true
        edit(row)
        return JSON.stringify(columns.map((name) => row[name]))
      })
      expect(isDone, `${table} has no such row`).toBe(true)
      writeFileSync(path, `${changed.join('\n')}\n`)
    })
}

/** Everything in the target: the other workspace, the rows without a workspace, and the files. */
async function everything(): Promise<unknown> {
  const database = openDatabase(parseConfig({ DATABASE_URL: target.url }).database)
  try {
    const own = await database.read((db) =>
      Promise.all(
        ['instance', 'workspaces', 'accounts', 'client_secrets', 'tokens', 'file_objects'].map((table) =>
          db.all({}, `select * from ${table}`),
        ),
      ),
    )
    const files = readdirSync(folder).includes('target') ? readdirSync(join(folder, 'target'), { recursive: true }) : []
    return [own, await rowsOfWorkspace(database, other), await rowsOfWorkspace(database, WORKSPACE), files]
  } finally {
    await database.close()
  }
}

const isParagraph = (row: Record<string, unknown>): boolean => row['type'] === 'paragraph'
const FOUND = /expected .+, found:? .+/
const UNKNOWN = newId()

describe('import refuses a foreign row, by table, line, column, expectation and finding, and leaves nothing:', () => {
  it.each<[string, () => string, RegExp]>([
    ['a block of another workspace', edited('blocks', (row) => (row['workspace_id'] = other)), /blocks, line 1, workspace_id/],
    ['a token of another workspace', edited('tokens', (row) => (row['workspace_id'] = other)), /tokens, line 1, workspace_id/],
    [
      'a webhook of another workspace',
      () => forged((manifest) => addRow(manifest, 'webhook_workspaces', { workspace_id: WORKSPACE, home_id: other })),
      /webhook_workspaces, line 1, home_id/,
    ],
    ['bytes of another workspace', edited('file_parts', (row) => (row['object_workspace_id'] = other)), /object_workspace_id/],
    ['an id that is a path', edited('pages', (row) => (row['id'] = '../../etc/passwd')), /pages, line 1, id: expected an id/],
    ['an unknown type', edited('blocks', (row) => (row['type'] = 'gadget')), /blocks, line 1, type: expected one of/],
    ['an unknown kind', edited('users', (row) => (row['kind'] = 'root')), /users, line 1, kind: expected one of person, bot/],
    [
      'an unknown role',
      edited(
        'users',
        (row) => (row['role'] = 'god'),
        (row) => row['kind'] === 'person',
      ),
      /users, line \d+, role/,
    ],
    ['an unknown kind of parent', edited('blocks', (row) => (row['parent_type'] = 'moon')), /blocks, line 1, parent_type/],
    ['a parent that is not there', edited('blocks', (row) => (row['parent_id'] = UNKNOWN)), /blocks, line \d+, parent_id/],
    ['a page that is not there', edited('blocks', (row) => (row['page_id'] = UNKNOWN), isParagraph), /blocks, line \d+, page_id/],
    [
      'a block in itself',
      edited('blocks', (row) => Object.assign(row, { parent_type: 'block_id', parent_id: row['id'] }), isParagraph),
      /blocks, line \d+, parent_id: expected a parent that the workspace leads to/,
    ],
    [
      'a time of 1e300',
      edited('blocks', (row) => (row['created_time'] = 1e300)),
      /blocks, line 1, created_time: expected a time/,
    ],
    ['a time before 1970', edited('blocks', (row) => (row['last_edited_time'] = -2)), /last_edited_time: expected a time/],
    ['a flag of 7', edited('blocks', (row) => (row['in_trash'] = 7)), /blocks, line 1, in_trash: expected 0 or 1, found 7/],
    [
      'content that is not JSON',
      edited('blocks', (row) => (row['content'] = '{"rich')),
      /blocks, line 1, content: expected JSON/,
    ],
    [
      'content of another form',
      edited('blocks', (row) => (row['content'] = '{"rich_text":[{"type":"text","text":{}}]}'), isParagraph),
      /blocks, line \d+, content\.rich_text\[0\]\.text\.content: expected a text, found nothing/,
    ],
    [
      'a schema without a title',
      edited('data_sources', (row) => (row['properties'] = '[]')),
      /properties: expected a list with a title/,
    ],
    [
      'values that are a list',
      edited('pages', (row) => (row['row_values'] = '[]')),
      /pages, line 1, row_values: expected an object/,
    ],
    [
      'capabilities that are a text',
      edited('connections', (row) => (row['capabilities'] = '"all"')),
      /capabilities: expected a list/,
    ],
    [
      'a comment that is a number',
      edited('comments', (row) => (row['rich_text'] = '7')),
      /comments, line 1, rich_text: expected a list/,
    ],
    [
      'a name without an end',
      edited('users', (row) => (row['name'] = 'x'.repeat(100_001))),
      /users, line 1, name: expected a text of/,
    ],
    ['U+0000', edited('users', (row) => (row['name'] = 'a\0b')), /users, line 1, name: expected a text of/],
    ['no text', edited('blocks', (row) => (row['rank'] = null)), /blocks, line 1, rank: expected a text of .*, found null/],
    [
      'a list as a value',
      edited('blocks', (row) => (row['rank'] = [])),
      /blocks, line 1, rank: expected a text, a number or null/,
    ],
    ['bytes that are not Base64', edited('tokens', (row) => (row['digest'] = '***')), /tokens, line 1, digest: expected bytes/],
    [
      'a file that is longer',
      edited('file_parts', (row) => (row['byte_length'] = 1)),
      /file_parts, line 1, byte_length: expected 1 bytes/,
    ],
    [
      'a redirect URI with a dot segment',
      edited('connections', (row) => (row['redirect_uris'] = '["https://planner.example/a/../b"]')),
      /connections, line 1, redirect_uris: expected addresses that can be registered, found: .*dot segment/,
    ],
    [
      'an account of a stranger',
      edited('accounts', (row) => (row['id'] = UNKNOWN)),
      /accounts, line 1, id: expected the id of a person/,
    ],
    [
      'two rows with one key',
      () => forged(() => doubled('views')),
      /views, lines 1 to \d+: expected rows that fit those that are there, found: /,
    ],
    ['a second workspace', () => forged(() => doubled('workspaces')), /workspaces: expected 1 row, found 2/],
    [
      'a line of 33 MB',
      () => forged(() => appendLine(`["${'x'.repeat(33 * 1024 * 1024)}"]`)),
      /views, line \d+: expected up to \d+ bytes, found more/,
    ],
  ])('%s', { timeout: 30_000 }, async (_what, from, message) => {
    await expectRefusal(from(), message)
  })
})

function doubled(table: string): void {
  const path = join(copy, 'tables', `${table}.jsonl`)
  appendFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0] ?? ''}\n`)
}

/** Cells that are not given are a new id. */
function addRow(manifest: Mutable<Manifest>, table: string, row: Readonly<Record<string, string>>): void {
  const columns = manifest.tables.find(({ name }) => name === table)?.columns ?? []
  appendFileSync(join(copy, 'tables', `${table}.jsonl`), `${JSON.stringify(columns.map((name) => row[name] ?? newId()))}\n`)
}

function appendLine(line: string): void {
  appendFileSync(join(copy, 'tables', 'views.jsonl'), `${line}\n`)
}

async function expectRefusal(from: string, message: RegExp): Promise<void> {
  const before = await everything()
  const refusal = await cli.refusal(['workspace', 'import', from, '--with-credentials'], 1)
  expect(refusal).toMatch(message)
  expect(refusal).toMatch(FOUND)
  expect(await everything()).toEqual(before)
}

describe('import refuses a foreign manifest and leaves nothing:', () => {
  it.each<[string, (manifest: Mutable<Manifest>) => void, RegExp]>([
    [
      'an id that is a path',
      (manifest) => setId(manifest, '../../../pwn'),
      /workspace\.json: workspace\.id: expected an id, found "\.\.\//,
    ],
    ['another id than the rows', (manifest) => setId(manifest, newId()), /line 1, (?:workspace_)?id: expected/],
    [
      'another name than the row',
      (manifest) => setName(manifest, 'Other'),
      /workspaces, line 1, name: expected that of workspace\.json/,
    ],
    ['a table less', (manifest) => manifest.tables.splice(5, 1), /workspace\.json: expected the table \w+, found nothing/],
    ['a table more', (manifest) => addTable(manifest, 'instance'), /the table instance is not one of this release/],
    ['a table twice', (manifest) => addTable(manifest, 'views'), /a table is named twice/],
    [
      'a table that is a path',
      (manifest) => addTable(manifest, '../views'),
      /tables\[\d+\]\.name: expected a word, found "\.\.\/views"/,
    ],
    [
      'a column less',
      (manifest) => void Object.assign(manifest.tables[0] ?? {}, { columns: ['id'] }),
      /expected the columns .+ of \w+, found id/,
    ],
    [
      'files that are not a number',
      (manifest) => void Object.assign(manifest, { files: 'many' }),
      /files: expected a whole number, found "many"/,
    ],
  ])('%s', async (_what, change, message) => {
    const before = await everything()
    const from = forged(() => undefined)
    const path = join(from, 'workspace.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Mutable<Manifest>
    change(manifest)
    writeFileSync(path, JSON.stringify(manifest))
    expect(await cli.refusal(['workspace', 'import', from], 1)).toMatch(message)
    expect(await everything()).toEqual(before)
  })

  it.each<[string, () => void, RegExp]>([
    ['rows that were changed', () => swap('blocks'), /blocks: expected the SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}/],
    ['files with other bytes of the same length', changeFiles, /files\/[0-9a-f-]+: expected the SHA-256/],
    ['a table that is a link', () => link(join('tables', 'blocks.jsonl')), /blocks: expected a file at .+, found something else/],
    ['a file that is a link', () => link(join('files', fileName())), /expected a file at .+, found something else/],
  ])('%s', async (_what, change, message) => {
    const before = await everything()
    const from = forged(() => undefined)
    change()
    expect(await cli.refusal(['workspace', 'import', from], 1)).toMatch(message)
    expect(await everything()).toEqual(before)
  })
})

const setId = (manifest: Mutable<Manifest>, id: string): void => void (manifest.workspace = { ...manifest.workspace, id })
const setName = (manifest: Mutable<Manifest>, name: string): void => void (manifest.workspace = { ...manifest.workspace, name })
const addTable = (manifest: Mutable<Manifest>, name: string): void =>
  void manifest.tables.push({ name, columns: ['name', 'value'], rows: 0, sha256: createHash('sha256').digest('hex') })
const fileName = (): string => readdirSync(join(copy, 'files'))[0] ?? ''

/** The same number of lines and bytes, in another order. */
function swap(table: string): void {
  const path = join(copy, 'tables', `${table}.jsonl`)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  writeFileSync(path, `${lines.toReversed().join('\n')}\n`)
}

function changeFiles(): void {
  const path = join(copy, 'files', fileName())
  writeFileSync(
    path,
    readFileSync(path).map((byte) => byte ^ 1),
  )
}

function link(name: string): void {
  rmSync(join(copy, name))
  symlinkSync(join(exported, name), join(copy, name))
}

describe('import', () => {
  it('without --with-credentials lets nobody in: no tokens, connections, grants, webhooks or passwords', async () => {
    await cli.json('workspace', 'import', exported)
    const database = openDatabase(parseConfig({ DATABASE_URL: target.url }).database)
    const rows = await rowsOfWorkspace(database, WORKSPACE)
    const accounts = await database.read((db) => db.all({}, 'select password from accounts where password is not null'))
    const bots = await database.read((db) =>
      db.all({}, `select id from users where workspace_id = ? and connection_id is not null`, WORKSPACE),
    )
    await database.close()
    expect(Object.keys(rows)).toEqual(expect.arrayContaining(['blocks', 'pages', 'users', 'comments']))
    for (const table of ['tokens', 'connections', 'grants', 'webhook_subscriptions', 'idempotency_keys'])
      expect(rows).not.toHaveProperty(table)
    expect([accounts, bots]).toEqual([[], []])
    const server = await startTestServer({ ...targetSettings, BOOTSTRAP_TOKEN: '' })
    const answer = await server
      .caller(TOKEN)
      .call('retrieveMe')
      .finally(() => server.stop())
    expect(answer.status).toBe(401)
    expect(await cli.json('doctor')).toMatchObject({ problems: 0 })
    await cli.json('workspace', 'delete', WORKSPACE, '--yes')
  })

  it('reads an export of format 1, which has no checksums, and says so', async () => {
    const again = await makeDatabase('newest')
    const here = new InProcessCommandLine(again.url, settingsOf('again', again.url))
    await here.json('migrate')
    const from = forged((manifest) => void Object.assign(manifest, { version: 1 }))
    const path = join(from, 'workspace.json')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/,"(?:files_)?sha256":"[0-9a-f]{64}"/g, ''))
    expect(await here.json('workspace', 'import', from)).toMatchObject({ id: WORKSPACE, verified: false })
    await again.drop()
  })
})
