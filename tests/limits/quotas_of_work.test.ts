import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { changeQuotas, settleDefaultQuotas, showUsage } from '../../server/domain/administration/quotas.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { openDatabase } from '../../server/store/open.ts'
import { sql } from '../../server/store/sql.ts'
import { usageKinds, type UsageKind } from '../../server/store/usage.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makeAgent } from '../harness/agents.ts'
import type { TestResponse } from '../harness/responses.ts'
import { block, children, makePage, paragraph, text } from '../harness/content.ts'
import { makeDatabase, scratchFolder } from '../harness/databases.ts'
import { makeDatabase as makeRows } from '../harness/databases_content.ts'
import { expectError } from '../harness/expectations.ts'
import { create as createUpload, file, send, upload } from '../harness/files.ts'
import { at, idOf, textAt, type JsonObject } from '../harness/json.ts'
import { makeNote, plain, retrieve } from '../harness/meeting_notes.ts'
import { authorize, makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { testConfig } from '../harness/example_workspace.ts'
import { decision, eventsOf, stopped, talk } from '../harness/sessions.ts'

const { id: workspaceId } = exampleWorkspace.workspace
const database = await makeDatabase()
const filesUrl = `file:${scratchFolder('quotas-')}`
const server = await serverOfFile({ DATABASE_URL: database.url, FILES_URL: filesUrl })
const { owner, service } = server

const used = async (kind: UsageKind): Promise<number> =>
  (await service.database.read((db) => showUsage(db, workspaceId))).used[kind]
const setQuota = (kind: UsageKind, quota: number | null): Promise<void> =>
  service.database.write((db) => changeQuotas(db, workspaceId, { [kind]: quota }))
/** Sets a quota so that this much of it is left. */
const setFreeQuota = async (kind: UsageKind, room: number): Promise<void> => setQuota(kind, (await used(kind)) + room)
/** The remaining tasks and notes after all due ones have run, including later attempts. */
async function jobsLeft(): Promise<unknown[]> {
  await service.drainJobs()
  return service.database.read((db) =>
    db.all(
      { kind: 'text', state: 'text', error: 'text?' },
      sql`select kind, state, error from jobs where kind in ('async_task', 'meeting note')`,
    ),
  )
}
afterEach(async () => {
  for (const kind of usageKinds) await setQuota(kind, null)
  expect(await jobsLeft()).toEqual([])
})

const page = await makePage(owner, 'Full')
const { sourceId } = await makeRows(owner, page)
const template = await makePage(owner, 'Template', undefined, [paragraph('one'), paragraph('two'), paragraph('three')])
const talkFile = await upload(owner, 'We talked.', 'talk.txt')
const upload1 = idOf(await createUpload(owner, { filename: 'a.txt' }))

const inPage = { parent: { page_id: page }, properties: { title: [text('Page')] } }
const LOCATIONS: readonly (readonly [title: string, kind: UsageKind, path: string, send: () => Promise<TestResponse>])[] = [
  ['createPage', 'pages', 'body.parent', () => owner.call('createPage', { body: inPage })],
  [
    'createPage with a row',
    'pages',
    'body.parent',
    () => owner.call('createPage', { body: { parent: { data_source_id: sourceId }, properties: {} } }),
  ],
  [
    'createPage with blocks',
    'blocks',
    'body.children',
    () => owner.call('createPage', { body: { ...inPage, children: [paragraph('x')] } }),
  ],
  [
    'createPage in Markdown',
    'blocks',
    'body.markdown',
    () => owner.call('createPage', { body: { parent: inPage.parent, markdown: 'x' } }),
  ],
  [
    'appendBlockChildren',
    'blocks',
    'body.children',
    () => owner.call('appendBlockChildren', { path: { block_id: page }, body: { children: [block('toggle', 'a')] } }),
  ],
  [
    'updatePageMarkdown',
    'blocks',
    'body.replace_content',
    () =>
      owner.call('updatePageMarkdown', {
        path: { page_id: template },
        body: { type: 'replace_content', replace_content: { new_str: 'a\n\nb\n\nc\n\nd\n\ne' } },
      }),
  ],
  [
    'createDatabase',
    'blocks',
    'body.parent',
    () => owner.call('createDatabase', { body: { parent: { type: 'page_id', page_id: page }, title: [text('Boats')] } }),
  ],
  [
    'createView with a linked database',
    'blocks',
    'body.create_database',
    () =>
      owner.call('createView', {
        body: {
          create_database: { parent: { type: 'page_id', page_id: page } },
          data_source_id: sourceId,
          name: 'Boats',
          type: 'table',
        },
      }),
  ],
  [
    'createMeetingNotes',
    'notes',
    'body.parent',
    () =>
      owner.call('createMeetingNotes', {
        body: { source: { type: 'file_upload', file_upload_id: talkFile }, parent: { type: 'page_id', page_id: page } },
      }),
  ],
  [
    'createFileUpload',
    'files',
    'body.mode',
    () => owner.call('createFileUpload', { body: { mode: 'single_part', filename: 'b.txt' } }),
  ],
  ['createFileUpload with an empty body', 'files', 'body', () => owner.call('createFileUpload', { body: {} })],
  ['sendFileUpload', 'bytes', 'body.file', () => send(owner, upload1, file('x', 'a.txt', 'text/plain'))],
]

describe('406 with the location of the content that exceeds the quota in', () => {
  it.each(LOCATIONS)('%s', async (_title, kind, path, call) => {
    await setQuota(kind, 0)
    const response = await call()
    expectError(response, 406, 'row_limit_exceeded')
    expect(response.body['message']).toMatch(
      new RegExp(`^${path.replace('.', '\\.')} exceeds a quota: This workspace may contain at most 0 `),
    )
    expect(response.body['additional_data']).toEqual({ quota: kind, limit: '0' })
  })

  it('an older version', async () => {
    await setQuota('blocks', 0)
    const response = await server.caller(undefined).call('appendBlockChildren', {
      path: { block_id: page },
      body: { children: [block('paragraph', 'a')] },
      headers: { Authorization: `Bearer ${TOKEN}`, 'Service-Version': '2022-06-28' },
    })
    expectError(response, 406, 'row_limit_exceeded')
    expect(response.body['message']).toMatch(/^body\.children exceeds a quota: /)
  })
})

describe('background work beyond a quota', () => {
  it('fails a task with the error that the request would get', async () => {
    await setFreeQuota('blocks', 2)
    const body = { parent: { page_id: page }, markdown: 'a\n\nb\n\nc', allow_async: true }
    const started = await owner.call('createPage', { body })
    expect(started.status).toBe(202)
    await service.drainJobs()
    const { body: task } = await owner.call('retrieveAsyncTask', { path: { task_id: textAt(started.body, 'id') } })
    expect(task).toMatchObject({
      status: 'failed',
      error: {
        ...{ status: 406, code: 'row_limit_exceeded', message: expect.stringMatching(/^body\.markdown exceeds a quota: /) },
        additional_data: { quota: 'blocks' },
      },
    })
  })

  it('leaves a page from a template without its content, and retries nothing', async () => {
    await setFreeQuota('blocks', 2)
    const body = { ...inPage, template: { type: 'template_id', template_id: template } }
    const made = await owner.call('createPage', { body })
    expect(made.status).toBe(200)
    expect(await jobsLeft()).toEqual([])
    expect(await children(owner, idOf(made.body))).toEqual([])
    const errors = await service.database.read((db) =>
      db.all({ status: 'text', error: 'text?' }, sql`select status, error from async_tasks where operation = 'apply template'`),
    )
    expect(errors).toMatchObject([{ status: 'failed', error: expect.stringContaining('row_limit_exceeded') }])
  })

  it("makes createToken return 400 invalid_request when the template's copy exceeds the quota, and keeps the code valid", async () => {
    const client = await makeClient(server, { templatePageId: template })
    const code = await obtainCode(server, client, { takesTemplate: true })
    await setFreeQuota('blocks', 2)
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI }
    const refused = await client.call('createToken', exchange)
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request', additional_data: { quota: 'blocks' } } })
    await setQuota('blocks', null)
    expect((await client.call('createToken', exchange)).status).toBe(200)
    await authorize(server, client)
  })

  it('returns an error to the tool call of an agent, and the turn completes', async () => {
    const [person] = exampleWorkspace.people
    const token = (
      await service.database.write((db) => createPersonalToken(db, { workspaceId, personId: person.id }, server.clock.now()))
    ).token
    const permissions = [{ target: { type: 'page', id: page }, scopes: ['read_and_write'] }]
    const connections = [{ type: 'workspace', name: 'Workspace', account: null, permissions }]
    const agent = await makeAgent(server, { connections }, [[{ everybody: true }, 'full']])
    const member = server.caller(token)
    const session = await talk(member, { agent_id: agent, message: 'Create page "Bolt order" with "Eight M20"' })
    await setFreeQuota('pages', 0)
    await member.call('createSession', { body: decision(session, 'approve') })
    expect(await stopped(member, String(session['id']))).toMatchObject({ status: 'completed', tool_types: ['create_page'] })
    const results = (await eventsOf(member, String(session['id']))).filter(({ type }) => type === 'agent.tool_result')
    expect(JSON.stringify(results)).toContain('"is_error":true')
  })

  it.each([
    ['transcript', 1, 'transcription_failed', 0],
    ['summary, with a notice in the note', 5, 'notes_ready', 1],
    ['summary or a notice', 4, 'notes_ready', 0],
  ])('ends a meeting note with an error when the quota has no room for its %s', async (_what, room, status, summaries) => {
    const parent = await makePage(owner)
    await setFreeQuota('blocks', 1 + room)
    const note = await makeNote(owner, parent, plain('We talked. We decided to paint the hull.'))
    expect(await jobsLeft()).toEqual([])
    const found = await retrieve(owner, idOf(note))
    expect(at(found, 'meeting_notes', 'status')).toBe(status)
    const ids = (at(found, 'meeting_notes', 'children') ?? {}) as JsonObject
    expect('summary_block_id' in ids ? 1 : 0).toBe(summaries)
  })

  it('makes workspace import refuse the archive and delete what it has imported', async () => {
    const archive = join(scratchFolder('quotas-'), `${randomUUID()}.tar`)
    await new InProcessCommandLine(database.url, { FILES_URL: filesUrl }).json('workspace', 'export', workspaceId, archive)
    const other = await makeDatabase('none')
    const limits = { pages: null, blocks: 3, notes: null, files: null, bytes: null }
    const target = new InProcessCommandLine(other.url, { FILES_URL: `file:${scratchFolder('quotas-')}` })
    await target.json('migrate')
    const store = openDatabase(testConfig({ DATABASE_URL: other.url }).database)
    await settleDefaultQuotas(store, limits)
    await store.close()
    const output = await target.refusal(['workspace', 'import', archive], 1)
    expect(output).toContain('may contain at most 3 blocks')
    expect((await target.run(['workspace', 'show', workspaceId])).code).not.toBe(0)
    await other.drop()
  })
})
