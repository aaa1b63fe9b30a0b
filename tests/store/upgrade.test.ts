import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import pg from 'pg'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import type { Database } from '../../server/store/database.ts'
import { migrate, newestSchema } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { CommandLine, InProcessCommandLine, type Outcome } from '../cli/support.ts'
import type { Caller } from '../harness/caller.ts'
import { makePage } from '../harness/content.ts'
import { engine, makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { makeRow } from '../harness/databases_content.ts'
import { pdf } from '../harness/files.ts'
import { at, idOf, resultsOf, textAt } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { served, startRemoteHost } from '../harness/remote_host.ts'
import { startTestServer, TestClock, type TestServer } from '../harness/server.ts'
import { findAll } from '../operations/search/support.ts'
import { withoutSql } from '../harness/long_runs.ts'

/**
 * The fixtures are databases of the last build of release 0.1.0 (schema 19): the demo workspace, and a page that callers created, with
 * blocks, a comment and a database of three rows, one of them in the trash.
 */
const TOKEN_OF_FIXTURE = 'itk_of_the_upgrade_fixture_01'
const fixture = (name: string): Buffer => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

async function restore(): Promise<TestDatabase> {
  const made = await makeDatabase('none')
  if (engine === 'sqlite') {
    writeFileSync(made.url.replace(/^sqlite:/, ''), gunzipSync(fixture('release_0_1_0.db.gz')))
    return made
  }
  const client = new pg.Client({ connectionString: made.url })
  await client.connect()
  await client.query(fixture('release_0_1_0.sql').toString()).finally(() => client.end())
  return made
}

/** The structure of a database, one line for each part. */
const PARTS = {
  sqlite: `select type || ' ' || name || ' ' || coalesce(sql, '') as part from sqlite_master where name not like 'title_keys_%'`,
  // Names of `not null` constraints, which only the newest servers list, depend on the history of a column.
  postgresql: `select 'column ' || table_name || ' ' || ordinal_position || ' ' || column_name || ' ' || data_type || ' ' || is_nullable
      || ' ' || concat_ws(' ', column_default, collation_name, is_identity, generation_expression) as part
      from information_schema.columns where table_schema = 'public'
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'function ' || proname || ' ' || prosrc from pg_proc where pronamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'relation', relname, relkind, relpersistence) from pg_class
      where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'option', attrelid::regclass, attname, attoptions) from pg_attribute
      where attoptions is not null`,
} as const

async function partsOf(database: Database): Promise<string[]> {
  const rows = await database.read((db) => db.all({ part: 'text' }, PARTS[engine]))
  return rows
    .map(({ part }) => part.replaceAll(/\s+/g, ' ').replaceAll('"', '').replaceAll('( ', '(').replaceAll(' )', ')'))
    .sort()
}

/** Inserts rows as the older release did, which stored ids as text in SQLite. */
async function insertAsOlder(database: TestDatabase, statement: string, rows: readonly (string | number)[][]): Promise<void> {
  if (engine === 'sqlite') {
    const file = new DatabaseSync(database.url.replace(/^sqlite:/, ''))
    for (const row of rows) file.prepare(statement).run(...row)
    return file.close()
  }
  const store = open(database)
  await store.write(async (db) => {
    for (const row of rows) await db.run(statement, ...row)
  })
  await store.close()
}

const open = ({ url }: TestDatabase): Database => openDatabase(parseConfig({ DATABASE_URL: url }).database)

let restored: TestDatabase
let server: TestServer
let owner: Caller
beforeAll(async () => {
  restored = await restore()
  server = await startTestServer({ DATABASE_URL: restored.url, BOOTSTRAP_TOKEN: TOKEN_OF_FIXTURE })
  owner = server.caller(TOKEN_OF_FIXTURE)
})
afterAll(() => server.stop().finally(() => restored.drop()))

const found = async (title: string): Promise<string> => (await findAll(owner, { query: title }))[0] ?? ''

it('a database of release 0.1.0 gets the tables, indexes, constraints and triggers of a new database', async () => {
  const fresh = await makeDatabase('none')
  const store = open(fresh)
  try {
    await migrate(store)
    const parts = await partsOf(store)
    expect(parts.length).toBeGreaterThan(100)
    expect(await partsOf(server.service.database)).toStrictEqual(parts)
  } finally {
    await store.close()
    await fresh.drop()
  }
})

it('pages, blocks and comments of an older release are readable', async () => {
  const id = await found('tide table')
  const page = await owner.call('retrievePage', { path: { page_id: id } })
  expect(page).toMatchObject({
    status: 200,
    body: { icon: { emoji: '🌊' }, parent: { page_id: exampleWorkspace.pages.handbook } },
  })
  const { body } = await owner.call('retrievePageMarkdown', { path: { page_id: id } })
  expect(textAt(body, 'markdown')).toContain('- [x] 11:40, check the sill')
  const comments = await owner.call('listComments', { query: { block_id: id } })
  expect(resultsOf(comments.body).map((comment) => textAt(comment, 'rich_text', 0, 'plain_text'))).toEqual(['Springs on Sunday'])
  expect((await owner.call('listBlockChildren', { path: { block_id: exampleWorkspace.pages.launchPlan } })).status).toBe(200)
})

it('titles of an older release are found, except those in the trash, together with new ones', async () => {
  expect(await findAll(owner, { query: 'torn' })).toEqual([])
  const old = await findAll(owner, { query: 'tide table' })
  expect(old).toHaveLength(1)
  const made = await makePage(owner, 'Tide tables of the harbour')
  expect((await findAll(owner, { query: 'tide table' })).sort()).toEqual([...old, made].sort())
})

it('rows of an older release are filtered, computed and sorted together with new ones', async () => {
  const sourceId = await found('moorings')
  await makeRow(owner, sourceId, { Name: { title: [{ text: { content: '⚓ Anchorage' } }] }, Depth: { number: 4 } })
  const { status, body } = await owner.call('queryDataSource', {
    path: { data_source_id: sourceId },
    body: { filter: { property: 'Depth', number: { greater_than: 1 } }, sorts: [{ property: 'Name', direction: 'ascending' }] },
  })
  expect(status).toBe(200)
  const values = resultsOf(body).map((row) => [
    textAt(row, 'properties', 'Name', 'title', 0, 'plain_text'),
    at(row, 'properties', 'Double', 'formula', 'number'),
  ])
  expect(values).toEqual([
    ['⚓ Anchorage', 8],
    ['North ⚓', 7],
    ['South', 4],
  ])
  const row = idOf(resultsOf(body)[1])
  const moved = await owner.call('updatePage', { path: { page_id: row }, body: { in_trash: true } })
  expect(moved.status, moved.text).toBe(200)
})

it('unfinished tasks and imports of an older release run once', async () => {
  const remote = await startRemoteHost({ 'plan.pdf': served(pdf, 'application/pdf') })
  const older = await restore()
  const now = Date.now()
  const { workspace, bot, pages } = exampleWorkspace
  const tasks = ['0b9e3a52-7a6b-4d8c-9f0e-1a2b3c4d5e6f', '1b9e3a52-7a6b-4d8c-9f0e-1a2b3c4d5e6f']
  const upload = '2b9e3a52-7a6b-4d8c-9f0e-1a2b3c4d5e6f'
  const unfinished = tasks.map((id, index) => {
    const request = { id: pages.handbook, body: { type: 'insert_content', insert_content: { content: `left behind ${index}` } } }
    const state = index === 0 ? ['queued', 0] : ['running', 1]
    return [workspace.id, id, bot.id, newestRelease, JSON.stringify(request), ...state, now, now]
  })
  await insertAsOlder(
    older,
    `insert into async_tasks (workspace_id, id, actor_id, operation, version, request, status, attempts, due_time, created_time)
     values (?, ?, ?, 'PATCH /v1/pages/:page_id/markdown', ?, ?, ?, ?, ?, ?)`,
    unfinished,
  )
  await insertAsOlder(
    older,
    `insert into file_uploads (workspace_id, id, actor_id, actor_kind, mode, status, filename, content_type, type_is_given,
       external_url, import_time, import_attempts, created_time, last_edited_time, expiry_due)
     values (?, ?, ?, 'bot', 'external_url', 'pending', 'plan.pdf', 'application/pdf', 0, ?, ?, 1, ?, ?, ?)`,
    [[workspace.id, upload, bot.id, remote.url('plan.pdf'), now, now, now, now + 3_600_000]],
  )
  const clock = new TestClock()
  clock.advance(now - clock.now())
  const settings = { DATABASE_URL: older.url, BOOTSTRAP_TOKEN: TOKEN_OF_FIXTURE, FILE_IMPORT_HOSTS: remote.host }
  const newer = await startTestServer(settings, clock)
  try {
    const caller = newer.caller(TOKEN_OF_FIXTURE)
    const statusOf = async (id: string): Promise<unknown> =>
      (await caller.call('retrieveAsyncTask', { path: { task_id: id } })).body['status']
    for (const id of tasks) await until(async () => ((await statusOf(id)) === 'succeeded' ? true : undefined))
    const { body } = await caller.call('retrievePageMarkdown', { path: { page_id: pages.handbook } })
    for (const index of tasks.keys()) expect(textAt(body, 'markdown').split(`left behind ${index}`)).toHaveLength(2)
    await until(async () => {
      const imported = await caller.call('retrieveFileUpload', { path: { file_upload_id: upload } })
      return imported.body['status'] === 'uploaded' ? true : undefined
    })
  } finally {
    await newer.stop()
    await older.drop()
    await remote.close()
  }
})

/** Converts a restored database back to schema 18, which release 0.1.0 had when it was first published. */
async function putBackToFirstSchema(database: Database): Promise<void> {
  await database.write(async (db) => {
    await db.run('delete from migrations where number = 19')
    if (engine === 'sqlite') return
    await db.run('alter table titles drop constraint titles_by_number')
    await db.run(`create unique index titles_by_number on titles (number)
      include (workspace_id, id, kind, parent_id, in_trash, last_edited_time, short_words)`)
  })
}

it('the service opens a database of release 0.1.0 as first published, at schema 18', async () => {
  const older = await restore()
  const store = open(older)
  try {
    await putBackToFirstSchema(store)
    await migrate(store)
    expect(await partsOf(store)).toStrictEqual(await partsOf(server.service.database))
    expect(
      await store.read((db) => db.get({ title: 'text' }, `select words as title from titles where words like '%tide table%'`)),
    ).toBeDefined()
  } finally {
    await store.close()
    await older.drop()
  }
})

/** Sets the schema number of a restored database, and tries each way to start the service on it. */
async function refusalsAt(statement: string): Promise<{ readonly migrated: unknown; readonly outputs: readonly string[] }> {
  const older = await restore()
  const store = open(older)
  try {
    await store.write((db) => db.run(statement))
    const migrated: unknown = await migrate(store).catch((error: unknown) => error)
    const cli = new InProcessCommandLine(older.url)
    const outcomes: Outcome[] = []
    for (const words of [['doctor'], ['migrate'], ['workspace', 'list']]) outcomes.push(await cli.run(words))
    outcomes.push(await new CommandLine(older.url).run(['serve', '--port', '0']))
    const outputs = outcomes.map(({ output, errors }) => output + errors)
    return { migrated, outputs }
  } finally {
    await store.close()
    await older.drop()
  }
}

withoutSql(it)('the service refuses a database older than every release, with advice', async () => {
  const { migrated, outputs } = await refusalsAt('delete from migrations where number > 12')
  const advice = 'has schema 12, and this release supports schemas from 18'
  expect(String(migrated)).toContain(advice)
  for (const output of outputs) expect(output).toContain(advice)
})

withoutSql(it)('the service refuses a database of a newer release in one sentence, without a stack trace', async () => {
  const { migrated, outputs } = await refusalsAt(`insert into migrations (number, name) values (9999, 'later')`)
  const advice = `has schema 9999, and this release supports schemas up to ${newestSchema}. Start a newer release.`
  expect(String(migrated)).toContain(advice)
  for (const output of outputs) {
    expect(output).toContain(advice)
    expect(output).not.toMatch(/^\s+at /m)
  }
})
