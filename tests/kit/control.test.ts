import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createTestServer } from '../../testkit/src/index.ts'
import { startControl } from '../../testkit/src/control/start_control.ts'
import { GHOST } from '../harness/every_operation.ts'
import { at } from '../harness/json.ts'
import { call, makePage } from './support/responses.ts'
import { seen, callControl, controlOperations, type ControlResponse } from './support/control.ts'

const server = await createTestServer({ seed: 'control', time: '2026-05-16T04:30:00Z' })
const faults: unknown[] = []
const control = await startControl(server, { host: '127.0.0.1', port: 0 }, (error) => faults.push(error))
const callOperation = (
  ...[id, parts]: [Parameters<typeof callControl>[1], Parameters<typeof callControl>[2]?]
): Promise<ControlResponse> => callControl(control.url, id, parts)
const { workspace } = server
const me = async (): Promise<number> => (await call(workspace, 'retrieveMe')).status
const statusOf = async (id: string): Promise<number> => (await call(workspace, 'retrievePage', { path: { page_id: id } })).status

afterEach(async () => {
  await callOperation('resetServer')
  expect(faults.splice(0)).toEqual([])
})
afterAll(async () => {
  await control.closeAtOnce()
  await server.close()
})

const refusal = (message: string, status = 400, code = 'validation_error'): ControlResponse => ({
  status,
  body: { object: 'error', status, code, message, request_id: expect.any(String) as unknown as string },
})

describe('the control API of a server', () => {
  it('returns address and token with retrieveServer', async () => {
    const { body } = await callOperation('retrieveServer')
    expect(body).toMatchObject({ url: server.url, workspace: { token: server.token }, snapshots: ['start'] })
  })

  it('creates a separate workspace with createWorkspace', async () => {
    const made = await callOperation('createWorkspace', { json: { name: 'Harbour office' } })
    const headers = { Authorization: `Bearer ${String(made.body['token'])}`, 'Service-Version': '2026-03-11' }
    const response = await fetch(`${server.url}/v1/users/me`, { headers })
    expect(await response.json()).toMatchObject({ bot: { workspace_name: 'Harbour office' } })
    expect((await callOperation('retrieveServer')).body['workspaces']).toHaveLength(2)
    expect(await callOperation('createWorkspace', { json: { name: '' } })).toEqual(
      refusal('body failed validation: body.name.length should be ≥ `1`, instead was `0`.'),
    )
  })

  it('restores the initial state with resetServer', async () => {
    const page = await makePage(workspace)
    await callOperation('createFault', { json: { code: 'rate_limited' } })
    await callOperation('advanceClock', { json: { hours: 1 } })
    await callOperation('createWorkspace')
    const { body } = await callOperation('resetServer')
    expect([body['workspaces'], await statusOf(page)]).toEqual([[expect.anything()], 404])
    expect((await callOperation('retrieveClock')).body['time']).toBe('2026-05-16T04:30:00.000Z')
    expect((await callOperation('listJournalEntries', { query: '?operation=createPage' })).body['results']).toEqual([])
  })

  it('restores an earlier state with createSnapshot and restoreSnapshot', async () => {
    const page = await makePage(workspace)
    await callOperation('createSnapshot', { json: { name: 'one page, at 9' } })
    await call(workspace, 'updatePage', { path: { page_id: page }, body: { in_trash: true } })
    const restored = await callOperation('restoreSnapshot', { path: { name: 'one page, at 9' } })
    expect(restored.body['snapshots']).toEqual(['start', 'one page, at 9'])
    expect((await call(workspace, 'retrievePage', { path: { page_id: page } })).body['in_trash']).toBe(false)
    expect(await callOperation('restoreSnapshot', { path: { name: 'noon' } })).toEqual(
      refusal('No snapshot is named "noon", only "start", "one page, at 9".', 404, 'object_not_found'),
    )
    expect(await callOperation('createSnapshot', { json: { name: 'a/b' } })).toEqual(
      refusal(
        'body failed validation: body.name should be a name without slashes, with dots only between other characters, instead was `"a/b"`.',
      ),
    )
  })

  it('waits for due work with settleServer', async () => {
    await expect(callOperation('settleServer')).resolves.toMatchObject({ status: 200 })
  })
})

describe('createSeed', () => {
  const YAML = `pages:
  - name: log book
    markdown: Low water at nine
databases:
  - { name: boats, page: log book, initial_data_source: { properties: { Name: { title: {} } } }, rows: [{ name: gull }] }`
  const yaml = (body: string): RequestInit => ({ body, headers: { 'Content-Type': 'application/yaml' } })

  it('accepts YAML and JSON, for any workspace', async () => {
    const { body } = await callOperation('createSeed', yaml(YAML))
    expect(await statusOf(String(at(body, 'pages', 'gull')))).toBe(200)
    expect(body).toMatchObject({ databases: { boats: { data_source_id: expect.any(String) } } })
    const { body: other } = await callOperation('createWorkspace')
    const query = `?workspace_id=${String(other['id'])}`
    const made = await callOperation('createSeed', { json: { pages: [{ name: 'one' }] }, query })
    expect(await statusOf(String(at(made.body, 'pages', 'one')))).toBe(404)
    await callOperation('resetServer')
    expect(await callOperation('createSeed', { json: {}, query })).toEqual(
      refusal(`No workspace has the id ${String(other['id'])}.`, 404, 'object_not_found'),
    )
  })

  it.each([
    [
      'pages: [{ markdown: One, pages: [{}, { icon: { emoji: 7 } }] }]',
      'body.pages[0].pages[1].icon.emoji should be a string, instead was `7`.',
    ],
    ['tokens: [{ name: x, person: nobody }]', 'body.tokens[0]: the seed contains no person "nobody".'],
    ['people: [{ name: Ada }]', 'body.people[0].email should be defined, instead was `undefined`.'],
    ['boats: []', 'body.boats should be not present, instead was `[]`.'],
    ['databases: [{ page: 7 }]', 'body.databases[0].page should be a string, instead was `7`.'],
  ])('names the location of an error: %s', async (text, message) => {
    expect(await callOperation('createSeed', yaml(text))).toEqual(refusal(`body failed validation: ${message}`))
    expect(at((await call(workspace, 'search', { body: {} })).body, 'results')).toEqual([])
  })

  it.each([
    ['a text that is not YAML', 'pages: ['],
    ['an alias that contains itself', 'pages: &pages\n  - pages: *pages'],
    ['aliases that expand', `a: &a [x]\nb: &b [${'*a, '.repeat(20)}]\nc: [${'*b, '.repeat(20)}]`],
  ])('refuses %s', async (_what, text) => {
    const { status, body } = await callOperation('createSeed', yaml(text))
    expect([status, body['code']]).toEqual([400, 'invalid_json'])
    expect(body['message']).toContain('should be YAML')
  })
})

describe('the control API of the clock', () => {
  it('runs due work with updateClock and advanceClock', async () => {
    const { body } = await call(workspace, 'createFileUpload', { body: { filename: 'tide.txt' } })
    await callOperation('updateClock', { json: { time: '2026-05-16T12:00:00+02:00' } })
    const advanced = await callOperation('advanceClock', { json: { hours: 1, minutes: 30 } })
    expect(advanced.body).toEqual({ object: 'clock', time: '2026-05-16T11:30:00.000Z', is_stopped: true })
    const upload = await call(workspace, 'retrieveFileUpload', { path: { file_upload_id: String(body['id']) } })
    expect(upload.body['status']).toBe('expired')
  })

  it.each([
    ['updateClock', { time: 'noon' }, 'body.time should be a valid ISO 8601 date string, instead was `"noon"`.'],
    [
      'updateClock',
      { time: '1899-12-31T23:59:59Z' },
      'body.time should be a time from the year 1900 to the year 9999, instead was `"1899-12-31T23:59:59Z"`.',
    ],
    ['advanceClock', { hours: -1 }, 'body.hours should be ≥ `0`, instead was `-1`.'],
    [
      'advanceClock',
      { days: 1e9 },
      'body should be a time from the year 1900 to the year 9999, instead was `{"days":1000000000}`.',
    ],
  ] as const)('refuses a body of %s: %j', async (id, json, message) => {
    expect(await callOperation(id, { json })).toEqual(refusal(`body failed validation: ${message}`))
  })
})

describe('the control API of agents', () => {
  const agent = { name: 'Tide Watch', role: 'reader', turns: [{ steps: [{ type: 'text', text: 'At nine.' }] }] }
  const noSuchAgent = (id: string): ControlResponse =>
    refusal(`No agent of the workspace has the name or id "${id}".`, 404, 'object_not_found')
  const noSuchWorkspace = refusal(`No workspace has the id ${GHOST}.`, 404, 'object_not_found')

  it('scripts turns with createAgent and createAgentScripts, and shows them with listAgentTurns', async () => {
    const { body: made } = await callOperation('createAgent', { json: agent })
    expect(made).toEqual({ object: 'test_agent', id: expect.any(String) as string, scripted_turns: 1 })
    const agent_id = String(made['id'])
    const steps = [{ type: 'tool_call', tool: 'read_page', arguments: { page: 'Nowhere' } }]
    const scripted = await callOperation('createAgentScripts', { path: { agent_id }, json: { turns: [{ steps }] } })
    expect(scripted.body).toEqual({ object: 'test_agent', id: agent_id, scripted_turns: 2 })
    for (const message of ['When is low water?', 'And where?']) {
      await call(workspace, 'createSession', { body: { agent_id, message } })
      await callOperation('settleServer')
    }
    const { body } = await callOperation('listAgentTurns', { query: `?agent_id=${agent_id}` })
    expect(body['results']).toMatchObject([
      {
        agent_id,
        turn: 1,
        message: 'When is low water?',
        tools: ['search_workspace', 'read_page'],
        steps: agent.turns[0]?.steps,
      },
      { message: 'And where?', steps: [{ ...steps[0], is_error: true, result: { error: expect.any(String) } }] },
    ])
    expect((await callOperation('listAgentTurns', { query: `?agent_id=${GHOST}` })).body['results']).toEqual([])
  })

  it('removes agents with resetServer', async () => {
    const { body: made } = await callOperation('createAgent', { json: agent })
    const path = { agent_id: String(made['id']) }
    await callOperation('resetServer')
    expect(await callOperation('createAgentScripts', { path, json: { turns: agent.turns } })).toEqual(noSuchAgent(path.agent_id))
    expect((await callOperation('listAgentTurns')).body['results']).toEqual([])
  })

  it('refuses invalid agents and scripts with the location of the error', async () => {
    const [query, path, turns] = [`?workspace_id=${GHOST}`, { agent_id: 'service_ai' }, agent.turns]
    expect(await callOperation('createAgent', { json: agent, query })).toEqual(noSuchWorkspace)
    expect(await callOperation('createAgentScripts', { path, json: { turns }, query })).toEqual(noSuchWorkspace)
    expect(await callOperation('createAgent', { json: { ...agent, pages: ['log'] } })).toEqual(
      refusal('body failed validation: body: the seed contains no page "log".'),
    )
    expect(
      await callOperation('createAgent', { json: { name: 'Tide Watch', turns: [{ steps: [{ type: 'dance' }] }] } }),
    ).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/body\.turns\[0\]\.steps\[0\]\.type should be/) as string },
    })
    expect(await callOperation('createAgentScripts', { path, json: { turns: [] } })).toEqual(
      refusal('body failed validation: body.turns.length should be ≥ `1`, instead was `0`.'),
    )
    expect(await callOperation('createAgentScripts', { path: { agent_id: 'nobody' }, json: { turns } })).toEqual(
      noSuchAgent('nobody'),
    )
  })
})

describe('the control API of faults', () => {
  it('adds a rule with createFault, and removes rules with deleteFault and deleteFaults', async () => {
    const rule = { operation: 'retrieveMe', code: 'rate_limited', retry_after: 7, next: 2 }
    const { body } = await callOperation('createFault', { json: rule })
    expect(body['results']).toMatchObject([{ rule, acted: 0 }])
    expect((await call(workspace, 'retrieveMe')).headers['retry-after']).toBe('7')
    const listed = await callOperation('listFaults')
    expect(listed.body['results']).toMatchObject([{ rule, acted: 1 }])
    const fault_id = String(at(listed.body, 'results', 0, 'id'))
    expect((await callOperation('deleteFault', { path: { fault_id } })).body['results']).toEqual([])
    expect((await callOperation('deleteFault', { path: { fault_id } })).body['message']).toBe(
      `No fault rule has the id "${fault_id}".`,
    )
    await callOperation('createFault', { json: { code: 'rate_limited' } })
    expect((await callOperation('deleteFaults')).body['results']).toEqual([])
    expect(await me()).toBe(200)
  })

  it('matches headers by patterns, and shows the patterns as sent', async () => {
    const rule = { header_patterns: { 'X-Trial': '^bad' }, code: 'internal_server_error' }
    expect((await callOperation('createFault', { json: rule })).body['results']).toMatchObject([{ rule }])
    const trial = (value: string) => call(workspace, 'retrieveMe', { headers: { 'X-Trial': value } })
    expect([(await trial('bad luck')).status, (await trial('no bad luck')).status]).toEqual([500, 200])
  })

  it.each([
    [{ preset: 'rate_limited', next: 1, retry_after: 2 }, [429, 200, 200]],
    [{ preset: 'overloaded', operation: ['retrieveMe'], after: 1, next: 1 }, [200, 529, 200]],
    [{ preset: 'flaky' }, [200, 200, 503]],
    [{ preset: 'slow', delay: 1, jitter: 0 }, [200, 200, 200]],
    [{ preset: 'version_sunset', sunset: '2026-03-11' }, [200, 200, 200]],
  ])('adds presets with createPresetFaults: %j', async (json, statuses) => {
    const { body } = await callOperation('createPresetFaults', { json })
    expect(at(body, 'results', 0, 'acted')).toBe(0)
    expect([await me(), await me(), await me()]).toEqual(statuses)
  })

  it.each([
    ['createFault', { code: 'out_of_luck' }, 'body.code should be an error of the contract, instead was `"out_of_luck"`.'],
    [
      'createFault',
      { operation: ['search', 'sail'], code: 'rate_limited' },
      'body.operation[1] should be an operation of the contract, instead was `"sail"`.',
    ],
    [
      'createFault',
      { operation: 'createToken', code: 'object_not_found' },
      'body.code should be an error that createToken can return, instead was `"object_not_found"`.',
    ],
    [
      'createFault',
      { code: 'conflict_error', retry_after: 1 },
      'body.retry_after should be omitted: responses with this error have no Retry-After, instead was `1`.',
    ],
    [
      'createFault',
      { next: 1 },
      'body.code should be defined, or one of delay, jitter, drop, cut, sunset, instead was `undefined`.',
    ],
    ['createFault', { code: 'rate_limited', next: 0 }, 'body.next should be ≥ `1`, instead was `0`.'],
    ['createFault', { drop: 'sometimes' }, 'body.drop should be one of `"before"`, `"after"`, instead was `"sometimes"`.'],
    ['createFault', { code: 'rate_limited', every_other: true }, 'body.every_other should be not present, instead was `true`.'],
    [
      'createFault',
      { cut: 1, header_patterns: { 'X-Trial': '(' } },
      'body.header_patterns.X-Trial should be a regular expression, instead was `"("`.',
    ],
    [
      'createFault',
      { cut: 1, headers: { A: 'b' }, header_patterns: { A: 'b' } },
      'body.header_patterns.A should be not present, instead was `"b"`.',
    ],
    ['createPresetFaults', { preset: 'flaky', delay: 1 }, 'body.delay should be not present, instead was `1`.'],
    ['createPresetFaults', { preset: 'version_sunset' }, 'body.sunset should be defined, instead was `undefined`.'],
    ['createPresetFaults', { preset: 'version_sunset', sunset: '1999-01-01' }, 'body.sunset should be one of 2021-05-11'],
  ] as const)('refuses a body of %s: %j', async (id, json, message) => {
    const { status, body } = await callOperation(id, { json })
    expect([status, String(body['message'])]).toEqual([400, expect.stringContaining(`body failed validation: ${message}`)])
    expect((await callOperation('listFaults')).body['results']).toEqual([])
  })
})

describe('the control API of the journal', () => {
  it('lists requests with listJournalEntries, and deletes them with deleteJournalEntries', async () => {
    await callOperation('createPresetFaults', { json: { preset: 'rate_limited', next: 1 } })
    await me()
    await makePage(workspace)
    const { body } = await callOperation('listJournalEntries')
    expect(body['results']).toMatchObject([
      { operation: 'retrieveMe', refusal: { check: 'fault', code: 'rate_limited' }, faults: [{ code: 'rate_limited', next: 1 }] },
      { operation: 'createPage', body: { markdown: 'Low water at nine' }, response: { status: 200 }, refusal: null },
    ])
    expect(JSON.stringify(body)).not.toContain(server.token)
    expect((await callOperation('listJournalEntries', { query: '?limit=1' })).body['results']).toMatchObject([
      { operation: 'createPage' },
    ])
    expect((await callOperation('listJournalEntries', { query: '?limit=0' })).body['message']).toContain(
      'query.limit should be ≥ `1`',
    )
    expect((await callOperation('deleteJournalEntries')).body['results']).toEqual([])
    expect((await callOperation('listJournalEntries')).body['results']).toEqual([])
  })

  it('returns an HTTP archive with retrieveJournalHar', async () => {
    await me()
    expect((await callOperation('retrieveJournalHar')).body).toMatchObject({
      har: { log: { entries: [{ request: { method: 'GET' } }] } },
    })
  })
})

describe('the control API of recordings', () => {
  it('returns a seed from retrieveJournalSeed that createSeed accepts', async () => {
    await makePage(workspace, 'Low water at nine')
    const { body } = await callOperation('retrieveJournalSeed')
    expect(body).toMatchObject({ seed: { pages: [{ name: 'Low water at nine' }] }, left_out: [] })
    await callOperation('resetServer')
    const made = await callOperation('createSeed', { json: body['seed'] })
    expect(await statusOf(String(at(made.body, 'pages', 'Low water at nine')))).toBe(200)
  })

  it('returns examples by name with retrieveJournalExamples', async () => {
    await makePage(workspace)
    const { body } = await callOperation('retrieveJournalExamples')
    expect(at(body, 'examples', 'CreatePageRecordedRequest', 'value')).toEqual({ markdown: 'Low water at nine' })
  })
})

// If you are here because an operation is listed: no test above calls it successfully, or with a missing name. Write one.
it('the tests above call every control operation successfully, and cover every documented 404', () => {
  const missing = controlOperations.filter(({ id }) => !seen.has(`${id} 200`)).map(({ id }) => id)
  expect(missing).toEqual([])
  const withoutNotFound = controlOperations.filter(({ id, responses }) => '404' in responses && !seen.has(`${id} 404`))
  expect(withoutNotFound.map(({ id }) => id)).toEqual([])
})
