import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { payloadForms } from '../../server/domain/workspace_archive/payload_forms.ts'
import { newId } from '../../server/kernel/ids.ts'
import { raw, sql } from '../../server/store/sql.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import type { Caller } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import { makeDatabase as makeStore, scratchFolder } from '../harness/databases.ts'
import { at } from '../harness/json.ts'
import { EVERYTHING } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { rowsOfWorkspace } from '../harness/workspace_rows.ts'
import { filesOf, newPath } from './support/archives.ts'
import { readEverything } from './support/read_everything.ts'
import { addRow, editRows, seal, type Row } from './support/sealed.ts'
import { makeVictim, SECRET, type Victim } from './support/victim.ts'

const { id: DEMO, name: DEMO_NAME } = exampleWorkspace.workspace
const PIRATES = newId()
const NAME = 'Pirate cove'
const [member] = exampleWorkspace.people

const store = await makeStore('example')
const folder = scratchFolder('pirates-')
const settings = { DATABASE_URL: store.url, FILES_URL: `file:${join(folder, 'store')}` }
const cli = new InProcessCommandLine(store.url, settings)
let server: TestServer
let victim: Victim
let caller: Caller
let personal: Caller
let before: unknown

beforeAll(async () => {
  server = await startTestServer(settings)
  await cli.json('workspace', 'export', DEMO, join(folder, 'exported'))
  victim = await makeVictim(server)
  before = await rowsOfWorkspace(server.service.database, DEMO)
  await cli.json('workspace', 'import', hostileArchive())
  caller = (await makeConnection(server, { capabilities: EVERYTHING, workspaceId: PIRATES, grants: [PIRATES] })).caller
  const { token } = await server.service.database.write((db) =>
    createPersonalToken(db, { workspaceId: PIRATES, personId: member.id }, server.clock.now()),
  )
  personal = server.caller(token)
}, 60_000)
afterAll(async () => {
  await server.stop()
  await store.drop()
})

const mention = (kind: 'page' | 'database' | 'user' | 'custom_emoji', id: string): object => ({
  type: 'mention',
  mention: { type: kind, [kind]: { id } },
})

/** The demo workspace under another id, with records that have the same ids and refer to the victim's. */
function hostileArchive(): string {
  const copy = join(folder, 'hostile')
  cpSync(join(folder, 'exported'), copy, { recursive: true })
  for (const name of ['workspace.json', ...readdirSync(join(copy, 'tables')).map((table) => join('tables', table))]) {
    const text = readFileSync(join(copy, name), 'utf8')
    writeFileSync(join(copy, name), text.replaceAll(DEMO, PIRATES).replaceAll(DEMO_NAME, NAME))
  }
  nameInBlocks(copy)
  nameInOthers(copy)
  addWork(copy)
  seal(copy)
  return copy
}

function nameInBlocks(copy: string): void {
  const { page, database, person, agent, comment, original } = victim
  const locations: [type: string, content: object][] = [
    ['paragraph', { rich_text: [mention('page', page), mention('database', database)] }],
    ['paragraph', { rich_text: [mention('user', person), mention('user', agent)] }],
    ['link_to_page', { type: 'page_id', page_id: page }],
    ['link_to_page', { type: 'database_id', database_id: database }],
    ['link_to_page', { type: 'comment_id', comment_id: comment }],
    ['synced_block', { synced_from: { type: 'block_id', block_id: original } }],
  ]
  editRows(copy, 'blocks', (row) => {
    if (row['type'] === 'meeting_notes') {
      const content = JSON.parse(String(row['content'])) as Row
      row['content'] = JSON.stringify({ ...content, children: { summary_block_id: original, notes_block_id: page } })
    }
    if (row['type'] !== 'paragraph' || row['in_trash'] === 1) return
    const [type, content] = locations.shift() ?? []
    if (type !== undefined) Object.assign(row, { type, content: JSON.stringify(content) })
  })
  expect(locations).toEqual([])
}

function nameInOthers(copy: string): void {
  const { page, person, row: job, view } = victim
  const text = JSON.stringify([mention('page', page), mention('user', person)])
  editRows(copy, 'comments', (row) => {
    Object.assign(row, { rich_text: text, display_name: JSON.stringify({ type: 'user', userId: person }) })
  })
  editRows(copy, 'databases', (row) => void (row['description'] = text))
  editRows(copy, 'data_sources', (row) => void (row['description'] = text))
  editRows(copy, 'pages', (row) => {
    const values = JSON.parse(String(row['row_values'] ?? '{}')) as Row
    if ('note' in values) row['row_values'] = JSON.stringify({ ...values, note: JSON.parse(text) as unknown })
  })
  editRows(copy, 'views', (row) => {
    const configuration = { rows: [{ id: 'r', widgets: [{ id: 'w', view_id: view }] }] }
    const filter = {
      or: [
        { property: 'boat', relation: { contains: job } },
        { property: 'ownr', people: { contains: person } },
      ],
    }
    const changes =
      row['type'] === 'dashboard' ? { configuration } : row['id'] === exampleWorkspace.views.openJobs ? { filter } : {}
    row['settings'] = JSON.stringify({ ...(JSON.parse(String(row['settings'])) as Row), ...changes })
  })
  const connection = { type: 'workspace', name: NAME, account: null }
  const permissions = [{ target: { type: 'page', id: page }, scopes: ['read_and_write'] }]
  editRows(copy, 'agents', (row) => void (row['connections'] = JSON.stringify([{ ...connection, permissions }])))
}

const QUERY = newId()
const TASK = newId()
const SESSION = newId()

/** Adds background work that would change or read records of the victim, and the rows of a view. */
function addWork(copy: string): void {
  const { page, row: job, person, agent } = victim
  const query = { id: QUERY, view_id: exampleWorkspace.views.allJobs, owner_id: member.id, total_count: 1, is_incomplete: 0 }
  const add = (table: string, row: Row): void =>
    addRow(copy, table, row, (column) => (column === 'workspace_id' ? PIRATES : column === 'id' ? newId() : null))
  add('view_queries', { ...query, created_time: 0, expires_time: 2e14 })
  add('view_query_pieces', { query_id: QUERY, number: 0, ids: job.replaceAll('-', '') })
  const request = { body: { parent: { page_id: page }, properties: {} } }
  const task = { operation: 'POST /v1/pages', version: newestRelease, request: JSON.stringify(request), status: 'queued' }
  add('async_tasks', { ...task, id: TASK, actor_id: member.id, created_time: 0 })
  const counts = { tool_call_count: 0, credits_used: 0, runs_completed: 1, message_count: 1, turn: 1, last_sequence: 1 }
  const session = {
    agent_id: exampleWorkspace.agents.partsScout,
    owner_id: member.id,
    creator_id: member.id,
    creator_kind: 'user',
    ...counts,
  }
  const words = {
    title: NAME,
    title_key: NAME,
    status: 'completed',
    models: '{"type":"auto"}',
    trigger_type: 'message',
    type_label: 'chat',
  }
  const lists = { writers: JSON.stringify([person]), tool_types: '[]', trigger_chain: JSON.stringify([agent]) }
  add('sessions', { id: SESSION, ...session, ...words, ...lists, created_time: 0, updated_time: 0 })
  const message = { text: 'Ahoy', files: [], metadata: null, author: { type: 'user', id: person } }
  const event = { session_id: SESSION, sequence: 1, turn: 1, type: 'user.message', status: null, created_time: 0 }
  add('session_events', { ...event, content: JSON.stringify(message) })
  const entry = { stream: 'at_once', type: 'page.created', time: 0, author_id: member.id, details: '{}', listeners: '{}' }
  add('outbox', { ...entry, entity_id: page })
  const waiting = { state: 'waiting', due_time: 0, attempts: 0, interruptions: 0 }
  for (const kind of Object.keys(payloadForms))
    add('jobs', { ...waiting, kind, job_key: newId(), payload: JSON.stringify(payloadOf(kind)) })
}

/** A payload with the members of every kind, each naming the victim. */
function payloadOf(kind: string): object {
  const { page, agent, file } = victim
  const id = kind === 'async_task' ? TASK : kind === 'file_import' ? file : page
  return {
    ...{ id, sessionId: page, agentId: agent, homeId: PIRATES, subscriptionId: page, stream: 'at_once', position: 0, time: 0 },
    ...{ limit: 'turn', turn: 1, run: 1, types: ['workspace.page.created'], authorId: victim.person, causedBy: [agent] },
    changes: [{ kind: 'page.created', id: page, pageId: page, places: [page] }],
  }
}

/** Names the victim in places where an import refuses it. */
async function nameDirectly(): Promise<void> {
  const { file, emoji, person, group, row: job, source, page } = victim
  const [FILE, EMOJI] = [
    { type: 'file', file: { id: file } },
    { type: 'custom_emoji', custom_emoji: { id: emoji } },
  ]
  const { keelBolts } = exampleWorkspace.rows.jobs
  const evil = { id: 'evil', name: 'Evil', description: null, type: 'relation', dataSourceId: source }
  const sum = {
    id: 'roll',
    name: 'Roll',
    description: null,
    type: 'rollup',
    function: 'show_original',
    relationId: 'evil',
    targetId: 'title',
  }
  const ownr = [
    { object: 'user', id: person },
    { object: 'group', id: group },
  ]
  const values = { ownr, boat: { ids: [job] }, phot: [{ name: 'a', ...FILE }] }
  const set = (table: string, columns: Row, where: Row): Promise<void> =>
    server.service.database.write(async (db) => {
      for (const [column, value] of Object.entries(columns)) {
        const stored = typeof value === 'string' ? value : JSON.stringify(value)
        const [[name, is] = ['', '']] = Object.entries(where)
        const changes = await db.change(
          sql`update ${raw(table)} set ${raw(column)} = ${stored} where workspace_id = ${PIRATES} and ${raw(name)} = ${String(is)}`,
        )
        expect(changes, `${table}.${column}`).toBeGreaterThan(0)
      }
    })
  await set('pages', { icon: EMOJI, cover: FILE }, { id: exampleWorkspace.pages.launchPlan })
  await set('blocks', { content: { ...FILE, caption: [mention('custom_emoji', emoji)] } }, { type: 'image' })
  await set('blocks', { content: { rich_text: [], icon: EMOJI }, created_by: person }, { type: 'callout' })
  await set('comments', { attachments: [FILE], created_by: person }, { parent_id: exampleWorkspace.pages.launchPlan })
  await set('pages', { row_values: values }, { id: keelBolts })
  await set('cells', { text_key: job }, { property_id: 'boat' })
  await set(
    'session_events',
    { content: { text: '', files: [{ id: file }], metadata: null, author: null } },
    { session_id: SESSION },
  )
  await set('databases', { icon: EMOJI, cover: FILE }, { id: exampleWorkspace.boatRegister })
  await set('views', { data_source_id: source }, { id: exampleWorkspace.views.shelfList })
  await set('agents', { instructions_page_id: page, icon: FILE }, { id: exampleWorkspace.agents.partsScout })
  await set('data_source_templates', { page_id: page }, { page_id: exampleWorkspace.rows.templates.survey })
  const { properties } = (await server.service.database.read((db) =>
    db.get(
      { properties: 'text' },
      sql`select properties from data_sources where workspace_id = ${PIRATES} and id = ${exampleWorkspace.dataSources.boats}`,
    ),
  )) ?? { properties: '[]' }
  await set(
    'data_sources',
    { properties: [...(JSON.parse(properties) as object[]), evil, sum] },
    { id: exampleWorkspace.dataSources.boats },
  )
  await set('pages', { row_values: { evil: { ids: [job] } } }, { id: exampleWorkspace.rows.boats.heron })
}

/** Every way to read the workspace, and its result. */
async function readAll(isSound: boolean): Promise<(readonly [string, unknown])[]> {
  const [zip, again] = [newPath(), join(scratchFolder('again-'), 'export')]
  await cli.json('workspace', 'export', PIRATES, zip, '--format', 'markdown')
  await cli.json('workspace', 'export', PIRATES, again)
  const tables = readdirSync(join(again, 'tables'))
  const texts = [
    ...(await readEverything(server, caller, PIRATES, isSound)),
    ...(await readEverything(server, personal, PIRATES, false)),
    ...Object.entries(await filesOf(zip)),
    ...tables.map((table) => [table, readFileSync(join(again, 'tables', table), 'utf8')] as const),
    ...readdirSync(join(again, 'files')).map((name) => [name, SECRET] as const),
  ]
  const addresses = texts.flatMap(([, text]) => JSON.stringify(text).match(new RegExp(`${server.url}/[^"\\\\ )>]+`, 'g')) ?? [])
  for (const address of new Set(addresses)) texts.push([address, await (await fetch(address)).text()])
  return texts
}

const leaks = (texts: Iterable<readonly [string, unknown]>): string[] =>
  [...texts].filter(([, text]) => JSON.stringify(text).toLowerCase().includes(SECRET)).map(([what]) => what)

describe('an imported workspace that names objects of another one', () => {
  it('reveals none of them by links, mentions, views, agents and jobs', async () => {
    const texts = await readAll(true)
    expect(texts.length).toBeGreaterThan(300)
    expect(leaks(texts)).toEqual([])
  })

  it.each<[string, (victim: Victim) => string]>([
    ['a page', ({ page }) => `/v1/pages/${page}`],
    ['the Markdown of a page', ({ page }) => `/v1/pages/${page}/markdown`],
    ['the blocks of a synced block', ({ original }) => `/v1/blocks/${original}/children`],
    ['a database', ({ database }) => `/v1/databases/${database}`],
    ['a data source', ({ source }) => `/v1/data_sources/${source}`],
    ['a view', ({ view }) => `/v1/views/${view}`],
    ['a comment', ({ comment }) => `/v1/comments/${comment}`],
    ['a file', ({ file }) => `/v1/file_uploads/${file}`],
    ['a person', ({ person }) => `/v1/users/${person}`],
    ['an agent', ({ agent }) => `/v1/agents/${agent}`],
  ])('returns 404 at the address of %s', async (_what, target) => {
    for (const reader of [caller, personal]) expect((await reader.page(target(victim))).status).toBe(404)
    expect((await server.owner.page(target(victim))).status).toBe(200)
  })

  it('reveals only their ids as rows of a view', async () => {
    const path = { view_id: exampleWorkspace.views.allJobs, query_id: QUERY }
    const { status, body } = await personal.call('listViewQueryResults', { path })
    // The id comes from the export, and nothing else is read.
    expect({ status, results: at(body, 'results') }).toEqual({ status: 200, results: [{ object: 'page', id: victim.row }] })
  })

  it('does not read or change them through its jobs', async () => {
    const { database } = server.service
    await until(async () => {
      const jobs = await database.read((db) =>
        db.all(
          { kind: 'text' },
          sql`select kind from jobs where workspace_id = ${PIRATES} and due_time <= ${server.clock.now()} and state <> 'dead'`,
        ),
      )
      return jobs.length === 0 ? true : undefined
    })
    const dead = await database.read((db) =>
      db.all({ kind: 'text', error: 'text?' }, sql`select kind, error from jobs where state = 'dead'`),
    )
    expect(dead).toEqual([])
    expect(await rowsOfWorkspace(database, DEMO)).toEqual(before)
    const task = await personal.call('retrieveAsyncTask', { path: { task_id: TASK } })
    // During the import, the workspace is closed to everybody.
    const code: unknown = expect.stringMatching(/^(?:object_not_found|unauthorized)$/)
    expect(task.body).toMatchObject({ status: 'failed', error: { code } })
  })

  it('reveals nothing through forged stored references, which an import would refuse', async () => {
    await nameDirectly()
    const texts = await readAll(false)
    expect(leaks(texts)).toEqual([])
    expect(JSON.stringify(texts)).toContain(victim.file)
  })

  it('contains names that the owner of the other workspace would see, so that the tests can find them', async () => {
    expect(leaks(await readEverything(server, server.owner, DEMO, false)).length).toBeGreaterThan(20)
  })
})
