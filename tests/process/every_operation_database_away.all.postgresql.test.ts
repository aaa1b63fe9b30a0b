import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAgent } from '../harness/agents.ts'
import type { Answer } from '../harness/answers.ts'
import type { CallParts } from '../harness/caller.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { appendOne, makePage, paragraph, text } from '../harness/content.ts'
import { makeDatabase as makeStore, type TestDatabase } from '../harness/databases.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import {
  each,
  exampleCall,
  exampleForm,
  outcomes,
  takesForm,
  targetOf,
  servedWith,
  takesKey,
  type KnownOperation,
} from '../harness/every_operation.ts'
import { create, file, mp4, png, send, upload } from '../harness/files.ts'
import { idOf } from '../harness/json.ts'
import { basic, makeClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'
import { createView, createViewQuery, deleteViewQuery, makeView, updateView } from '../harness/views.ts'
import { subscribe } from '../harness/webhooks.ts'
import { Wire } from '../harness/wire.ts'

const ATTEMPTS = 10

/** Every operation while the database is away: the operations come from the contract. */
// If you are here because an operation answers otherwise: let the failure of the database through; the renderer of errors makes
// a 503 of it, or a 504 where nobody knows whether a change was made.
describe('an unavailable database', () => {
  let database: TestDatabase
  let wire: Wire
  let server: TestServer
  let clientHeader: string
  beforeAll(async () => {
    database = await makeStore()
    wire = new Wire(database.url)
    server = await startTestServer({ DATABASE_URL: await wire.mend() })
    const { clientId, clientSecret } = await makeClient(server)
    clientHeader = basic(clientId, clientSecret)
  })
  afterAll(async () => {
    await server.stop()
    wire.cut()
    await database.drop()
  })

  const bearer = servedWith('bearer', 'connection')
  const clients = servedWith('client')
  const ask = (operation: KnownOperation, headers: Record<string, string>): Promise<Answer> => {
    const example = exampleCall(operation)
    if (takesForm(operation)) {
      const form = { 'Content-Type': exampleForm.type, ...example.headers, ...headers }
      return server.owner.send(operation.method.toUpperCase(), targetOf(operation), { headers: form, body: exampleForm.text })
    }
    return server.owner.call(operation.id, { ...example, headers: { ...example.headers, ...headers } })
  }
  const works = async (): Promise<true | undefined> => ((await server.owner.call('retrieveMe')).status === 200 ? true : undefined)
  /** Drops the jobs of earlier requests, whose commits could meet the break in place of the next one. */
  const settle = async (): Promise<void> => {
    await until(works)
    const soon = server.clock.now() + 86_400_000
    await server.service.database.write((db) => db.run("delete from jobs where state <> 'dead' and due_time <= ?", soon))
    await until(async () => {
      const metrics = await (await fetch(`${server.url}/metrics`)).text()
      return [...metrics.matchAll(/^workspace_jobs_running\{.*\} (\d+)$/gm)].every(([, count]) => count === '0')
        ? true
        : undefined
    })
  }

  /** The answer while the connection breaks at a commit. @param passes the commits that get through before */
  const whileItBreaks = async (change: () => Promise<Answer>, passes = 0): Promise<Answer> => {
    await settle()
    Object.assign(wire, { dropAt: 'commit', passes })
    const answer = await change()
    wire.dropAt = undefined
    return answer
  }

  /**
   * The answer while the connection breaks at the commit of the change itself. The break may meet a commit of work in the background: then
   * nothing was changed, as the answer says, and the change is asked for again.
   */
  const whileItsCommitBreaks = async (change: () => Promise<Answer>, passes = 0): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await whileItBreaks(change, passes)
      if (answer.status !== 503 || attempt === ATTEMPTS) return answer
    }
  }

  it('503 service_unavailable for every operation while it does not respond, and 200 afterwards', async () => {
    wire.cut()
    const found = await outcomes([...bearer, ...clients], (operation) =>
      ask(operation, operation.credentials === 'client' ? { Authorization: clientHeader } : {}),
    )
    expect(found).toEqual({
      ...each(bearer, '503 service_unavailable'),
      ...each(clients, '503 service_unavailable'),
    })
    await wire.mend()
    expect(await until(works)).toBe(true)
  })

  /** What each operation answers while the connection breaks at the first commit. */
  const askedWhileItBreaks = (operations: readonly KnownOperation[], hasKey: boolean): Promise<Record<string, string>> =>
    outcomes(operations, (operation) => (hasKey ? whileItsKeyBreaks(operation) : whileItsCommitBreaks(() => ask(operation, {}))))

  /** The same for the commit that takes a key; a break that met a commit of the background let the key be taken. */
  const whileItsKeyBreaks = async (operation: KnownOperation): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      const key = { 'Idempotency-Key': `unconfirmed-${operation.id}-${attempt}` }
      const answer = await whileItBreaks(() => ask(operation, key))
      if (answer.status === 503 || attempt === ATTEMPTS) return answer
    }
  }

  it('504 gateway_timeout for every operation whose commit is unconfirmed', async () => {
    // A commit that nobody confirms may have been kept: a session comes before what disables its agent, whose deletion comes last.
    const turn = ({ id }: KnownOperation): number => (id === 'createSession' ? 0 : id === 'deleteAgent' ? 2 : 1)
    const asked = bearer.filter(takesKey).sort((one, other) => turn(one) - turn(other))
    const found = await askedWhileItBreaks(asked, false)
    // Some examples are refused before anything is to be kept, and queries keep nothing.
    const isUntouched = (outcome: string): boolean => /^(?:200$|400 |404 )/.test(outcome)
    const others = Object.fromEntries(Object.entries(found).filter(([, outcome]) => !isUntouched(outcome)))
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((id) => [id, '504 gateway_timeout'])))
    expect(Object.keys(others)).toEqual(
      expect.arrayContaining(['createPage', 'updateDatabase', 'deleteBlock', 'createFileUpload', 'deleteAgent']),
    )
    expect(await until(works)).toBe(true)
  })

  it('503 server_error for an OAuth client whose commit is unconfirmed, since OAuth has no 504', async () => {
    const answer = await until(async () => {
      await settle()
      wire.dropAt = 'commit'
      const asked = { body: { token: 'itk_x' }, headers: { Authorization: clientHeader } }
      const answered = await server.owner.call('revokeToken', asked)
      wire.dropAt = undefined
      // A commit of the background may have been the one that broke.
      return answered.status === 200 ? undefined : answered
    })
    expect([answer.status, answer.body['error'], answer.body['code']]).toEqual([503, 'server_error', 'service_unavailable'])
    expect(await until(works)).toBe(true)
  })

  // Where the break meets a commit of the background before a change is sent, the change gets through: then all begins anew.
  it(
    '504 gateway_timeout for the remaining operations with another change, and for queries with a key',
    { retry: 3 },
    async () => {
      const { owner } = server
      const page = await makePage(owner, 'Unconfirmed')
      const block = await appendOne(owner, page, paragraph('as it was'))
      const made = await makeDatabase(owner, page)
      const view = String((await makeView(owner, made))['id'])
      const query = idOf((await createViewQuery(owner, view)).body)
      const small = idOf(await create(owner))
      const inParts = { mode: 'multi_part', filename: 'tides.mp4', content_type: 'video/mp4', number_of_parts: 1 }
      const whole = idOf(await create(owner, inParts))
      await send(owner, whole, { name: 'part_number', value: '1' }, file(mp4))
      const recording = await upload(owner, 'Ines: The tide turns at noon.', 'talk.txt')
      const note = { source: { type: 'file_upload', file_upload_id: recording }, parent: { type: 'page_id', page_id: page } }
      const hook = async (): Promise<CallParts> => ({
        path: { subscription_id: idOf((await subscribe(owner, 'https://hooks.workspace.example/in')).body) },
      })
      const [changed, ended, unverified] = [await hook(), await hook(), await hook()]
      const talking = { agent_id: await makeAgent(server), message: 'Ahoy' }
      // Its turn is never taken: the jobs of earlier requests are dropped.
      const session = { path: { session_id: idOf((await owner.call('createSession', { body: talking })).body) } }
      const run = randomUUID()
      const key = (name: string): CallParts => ({ headers: { 'Idempotency-Key': `answer-of-${name}-${run}` } })
      const asked: Readonly<Record<string, () => Promise<Answer>>> = {
        updateBlock: () => owner.call('updateBlock', { path: { block_id: block }, body: { paragraph: { color: 'red' } } }),
        updatePage: () => owner.call('updatePage', { path: { page_id: page }, body: { icon: { emoji: '⚓' } } }),
        movePage: () =>
          owner.call('movePage', { path: { page_id: page }, body: { parent: { page_id: exampleWorkspace.pages.checklist } } }),
        updatePageMarkdown: () =>
          owner.call('updatePageMarkdown', {
            path: { page_id: page },
            body: { type: 'insert_content', insert_content: { content: 'more' } },
          }),
        createView: () => createView(owner, made),
        updateView: () => updateView(owner, view, { name: 'Another' }),
        createViewQuery: () => createViewQuery(owner, view),
        deleteViewQuery: () => deleteViewQuery(owner, view, query),
        createComment: () => owner.call('createComment', { body: { parent: { page_id: page }, rich_text: [text('Well?')] } }),
        sendFileUpload: () => send(owner, small, file(png, 'a.png', 'image/png')),
        completeFileUpload: () => owner.call('completeFileUpload', { path: { file_upload_id: whole } }),
        queryDataSource: () =>
          owner.call('queryDataSource', { path: { data_source_id: made.sourceId }, body: {}, ...key('rows') }),
        queryDatabase: () =>
          server
            .caller(TOKEN, '2022-06-28')
            .call('queryDatabase', { path: { database_id: made.id }, body: {}, ...key('older-rows') }),
        search: () => owner.call('search', { body: {}, ...key('search') }),
        createMeetingNotes: () => owner.call('createMeetingNotes', { body: note }),
        queryMeetingNotes: () => owner.call('queryMeetingNotes', { body: {}, ...key('notes') }),
        queryAgents: () => owner.call('queryAgents', { body: {}, ...key('agents') }),
        createSession: () => owner.call('createSession', { body: talking }),
        querySessions: () => owner.call('querySessions', { body: {}, ...key('sessions') }),
        querySessionEvents: () => owner.call('querySessionEvents', { ...session, body: {}, ...key('events') }),
        cancelSession: () => owner.call('cancelSession', session),
        updateWebhookSubscription: () => owner.call('updateWebhookSubscription', { ...changed, body: { name: 'Tides' } }),
        deleteWebhookSubscription: () => owner.call('deleteWebhookSubscription', ended),
        sendWebhookVerification: () => owner.call('sendWebhookVerification', unverified),
      }
      const found: Record<string, string> = {}
      for (const [name, change] of Object.entries(asked)) {
        // Taking a key is a change of its own, which gets through.
        const hasKey = /^(?:query|search)/.test(name)
        const { status, body } = await whileItsCommitBreaks(change, hasKey ? 1 : 0)
        found[name] = `${status} ${String(body['code'])}`
        // What is left of a key would be freed beside whatever comes next.
        if (hasKey) expect(await until(async () => ((await change()).status === 200 ? true : undefined))).toBe(true)
      }
      expect(found).toEqual(Object.fromEntries(Object.keys(asked).map((name) => [name, '504 gateway_timeout'])))
      expect(await until(works)).toBe(true)
    },
  )

  // The last one: what it leaves behind is freed beside whatever comes next.
  it('503 service_unavailable for every write when claiming its key is unconfirmed', async () => {
    const keyed = bearer.filter(takesKey)
    expect(await askedWhileItBreaks(keyed, true)).toEqual(each(keyed, '503 service_unavailable'))
    expect(await until(works)).toBe(true)
  })
})
