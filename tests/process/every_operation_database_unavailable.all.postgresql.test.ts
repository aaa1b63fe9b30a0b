import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAgent } from '../harness/agents.ts'
import type { TestResponse } from '../harness/responses.ts'
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

/** Every operation of the contract while the database is unavailable. */
// If you are here because an operation responds differently: do not catch the failure of the database; the error renderer turns it into
// 503, or into 504 if it is unknown whether a change was committed.
describe('an unavailable database', () => {
  let database: TestDatabase
  let wire: Wire
  let server: TestServer
  let clientHeader: string
  beforeAll(async () => {
    database = await makeStore()
    wire = new Wire(database.url)
    server = await startTestServer({ DATABASE_URL: await wire.restore() })
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
  const request = (operation: KnownOperation, headers: Record<string, string>): Promise<TestResponse> => {
    const example = exampleCall(operation)
    if (takesForm(operation)) {
      const form = { 'Content-Type': exampleForm.type, ...example.headers, ...headers }
      return server.owner.send(operation.method.toUpperCase(), targetOf(operation), { headers: form, body: exampleForm.text })
    }
    return server.owner.call(operation.id, { ...example, headers: { ...example.headers, ...headers } })
  }
  const works = async (): Promise<true | undefined> => ((await server.owner.call('retrieveMe')).status === 200 ? true : undefined)
  /** Deletes the jobs of earlier requests, whose commits could meet the failure instead of the next request's. */
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

  /**
   * The response while the connection breaks at a commit.
   * @param passes the commits that succeed before
   */
  const duringFailure = async (change: () => Promise<TestResponse>, passes = 0): Promise<TestResponse> => {
    await settle()
    Object.assign(wire, { dropAt: 'commit', passes })
    const response = await change()
    wire.dropAt = undefined
    return response
  }

  /**
   * The response while the connection breaks at the commit of the change itself. If the failure meets a background commit instead, nothing
   * was changed, as the response says, and the change is repeated.
   */
  const duringCommitFailure = async (change: () => Promise<TestResponse>, passes = 0): Promise<TestResponse> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await duringFailure(change, passes)
      if (response.status !== 503 || attempt === ATTEMPTS) return response
    }
  }

  it('503 service_unavailable for every operation while the database does not respond, and 200 afterwards', async () => {
    wire.cut()
    const found = await outcomes([...bearer, ...clients], (operation) =>
      request(operation, operation.credentials === 'client' ? { Authorization: clientHeader } : {}),
    )
    expect(found).toEqual({
      ...each(bearer, '503 service_unavailable'),
      ...each(clients, '503 service_unavailable'),
    })
    await wire.restore()
    expect(await until(works)).toBe(true)
  })

  /** The response of each operation while the connection breaks at the first commit. */
  const requestedDuringFailure = (operations: readonly KnownOperation[], hasKey: boolean): Promise<Record<string, string>> =>
    outcomes(operations, (operation) =>
      hasKey ? duringKeyFailure(operation) : duringCommitFailure(() => request(operation, {})),
    )

  /** The same for the commit that claims a key; if the failure meets a background commit, the key is claimed. */
  const duringKeyFailure = async (operation: KnownOperation): Promise<TestResponse> => {
    for (let attempt = 1; ; attempt += 1) {
      const key = { 'Idempotency-Key': `unconfirmed-${operation.id}-${attempt}` }
      const response = await duringFailure(() => request(operation, key))
      if (response.status === 503 || attempt === ATTEMPTS) return response
    }
  }

  it('504 gateway_timeout for every operation whose commit is unconfirmed', async () => {
    // A commit without confirmation may have succeeded: a session comes before operations that disable its agent, and the agent's deletion
    // comes last.
    const order = ({ id }: KnownOperation): number => (id === 'createSession' ? 0 : id === 'deleteAgent' ? 2 : 1)
    const requests = bearer.filter(takesKey).sort((one, other) => order(one) - order(other))
    const found = await requestedDuringFailure(requests, false)
    // Some examples are refused before anything is written, and queries write nothing.
    const isUntouched = (outcome: string): boolean => /^(?:200$|400 |404 )/.test(outcome)
    const others = Object.fromEntries(Object.entries(found).filter(([, outcome]) => !isUntouched(outcome)))
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((id) => [id, '504 gateway_timeout'])))
    expect(Object.keys(others)).toEqual(
      expect.arrayContaining(['createPage', 'updateDatabase', 'deleteBlock', 'createFileUpload', 'deleteAgent']),
    )
    expect(await until(works)).toBe(true)
  })

  it('503 server_error for an OAuth client whose commit is unconfirmed, since OAuth has no 504', async () => {
    const response = await until(async () => {
      await settle()
      wire.dropAt = 'commit'
      const requests = { body: { token: 'itk_x' }, headers: { Authorization: clientHeader } }
      const response = await server.owner.call('revokeToken', requests)
      wire.dropAt = undefined
      // The failure may have met a background commit.
      return response.status === 200 ? undefined : response
    })
    expect([response.status, response.body['error'], response.body['code']]).toEqual([503, 'server_error', 'service_unavailable'])
    expect(await until(works)).toBe(true)
  })

  // If the failure meets a background commit before a change is sent, the change succeeds: then the test restarts.
  it(
    '504 gateway_timeout for changes whose example commits nothing, and for queries with an idempotency key',
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
      // The session's turn is never claimed, because the jobs of earlier requests are deleted.
      const session = { path: { session_id: idOf((await owner.call('createSession', { body: talking })).body) } }
      const run = randomUUID()
      const key = (name: string): CallParts => ({ headers: { 'Idempotency-Key': `answer-of-${name}-${run}` } })
      const requests: Readonly<Record<string, () => Promise<TestResponse>>> = {
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
      for (const [name, change] of Object.entries(requests)) {
        // Claiming a key is a separate transaction, which succeeds.
        const hasKey = /^(?:query|search)/.test(name)
        const { status, body } = await duringCommitFailure(change, hasKey ? 1 : 0)
        found[name] = `${status} ${String(body['code'])}`
        // The release of a claimed key would run beside the next request.
        if (hasKey) expect(await until(async () => ((await change()).status === 200 ? true : undefined))).toBe(true)
      }
      expect(found).toEqual(Object.fromEntries(Object.keys(requests).map((name) => [name, '504 gateway_timeout'])))
      expect(await until(works)).toBe(true)
    },
  )

  // Last, because the release of its claimed keys would run beside the next request.
  it('503 service_unavailable for every write when the claim of its idempotency key is unconfirmed', async () => {
    const keyed = bearer.filter(takesKey)
    expect(await requestedDuringFailure(keyed, true)).toEqual(each(keyed, '503 service_unavailable'))
    expect(await until(works)).toBe(true)
  })
})
