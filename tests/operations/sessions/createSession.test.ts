import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { RunInput } from '../../../server/domain/agents/runtime.ts'
import { setAgentState } from '../../../server/store/agent_states.ts'
import { makeAgent } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { expectError, expectNotFound } from '../../harness/expectations.ts'
import { png, upload } from '../../harness/files.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { authorize, makeClient } from '../../harness/oauth.ts'
import { ScriptedAgents } from '../../harness/scripted_agents.ts'
import { eventsOf, outline, stopped, talk } from '../../harness/sessions.ts'
import { serverOfFile } from '../../harness/server.ts'

const agents = new ScriptedAgents()
const seen: RunInput[] = []
agents.add('Look at this', async function* (input) {
  seen.push(input)
  yield { type: 'message', text: 'Seen.' }
  await Promise.resolve()
})
const gate = Promise.withResolvers<void>()
agents.add('Wait', async function* () {
  await gate.promise
  yield { type: 'message', text: 'At last.' }
})

const server = await serverOfFile({}, undefined, agents)
const agent = await makeAgent(server, { instructions: 'Be brief.' })
afterAll(() => gate.resolve())

const send = (body: JsonObject, caller = server.owner): Promise<TestResponse> => caller.call('createSession', { body })

describe('createSession with a first message', () => {
  it('200 with a queued session, whose turn runs in the background', async () => {
    const { status, body } = await send({ agent_id: agent, message: '\n Which bolts? \nQuick!' })
    expect([status, body]).toMatchObject([200, { agent_id: agent, title: 'Which bolts?', status: 'queued' }])
    expect(body).not.toHaveProperty('created_by')
    const session = await stopped(server.owner, idOf(body))
    expect(session).toMatchObject({
      status: 'completed',
      created_by: { type: 'bot', id: exampleWorkspace.bot.id },
      agent_version: { number: 1 },
      models: { type: 'auto' },
      trigger_type: 'chat',
      type_labels: ['chat'],
      chat_user_emails: [],
      tool_types: [],
      tool_call_count: 0,
      credits_used: 0.02,
      runs_completed: 1,
      message_count: 2,
    })
    expect(session).not.toHaveProperty('error')
    const events = await eventsOf(server.owner, idOf(body))
    expect(outline(events)).toStrictEqual([
      'user.message \n Which bolts? \nQuick!',
      'agent.message Echo: \n Which bolts? \nQuick!',
      'session.status completed',
    ])
    // The statuses in between are only streamed, but they are numbered.
    expect(events.map(({ sequence }) => sequence)).toStrictEqual([1, 4, 5])
    expect(events[1]).toMatchObject({ metadata: { model: 'scripted' } })
  })

  it('200 with a title of at most 80 whole characters', async () => {
    const { body } = await send({ agent_id: agent, message: '🚢'.repeat(100) })
    expect(body['title']).toBe('🚢'.repeat(80))
  })

  it('200 with the message, its context, files and earlier messages passed to the agent', async () => {
    const text = await upload(server.owner, 'M20', 'bolts.txt')
    const picture = await upload(server.owner, png, 'dock.png')
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
    await talk(server.owner, {
      session_id: id ?? '',
      message: 'Look at this',
      prompt_context: 'Two sentences.',
      metadata: { user_id: 'crm-481' },
      attachments: [
        { file_upload: { id: text }, name: 'list.txt' },
        { type: 'file_upload', file_upload: { id: picture } },
      ],
    })
    expect(seen.at(-1)).toMatchObject({
      turn: 2,
      model: 'scripted',
      agent: { name: 'Deck Hand', instructions: 'Be brief.' },
      history: [
        { role: 'user', text: 'Ahoy' },
        { role: 'agent', text: 'Echo: Ahoy' },
      ],
      message: {
        text: 'Look at this',
        promptContext: 'Two sentences.',
        attachments: [
          { name: 'list.txt', contentType: 'text/plain', text: 'M20' },
          { name: 'dock.png', contentType: 'image/png', text: undefined },
        ],
      },
    })
    const message = (await eventsOf(server.owner, String(id))).find(({ sequence }) => sequence === 6)
    expect(message).toMatchObject({
      created_by: { type: 'bot', id: exampleWorkspace.bot.id },
      metadata: { user_id: 'crm-481' },
      content: [
        { type: 'text', text: 'Look at this' },
        { type: 'file', name: 'list.txt', content_type: 'text/plain' },
        { type: 'file', name: 'dock.png', content_type: 'image/png' },
      ],
    })
    const [, file] = message?.['content'] as JsonObject[]
    expect(await (await fetch(String(file?.['url']))).text()).toBe('M20')
    server.clock.advance(Date.parse(String(file?.['expiry_time'])) - server.clock.now())
    expect((await fetch(String(file?.['url']))).status).toBe(403)
  })

  it('200 with the latest messages and the first attachments passed to the agent, within the limits of a run', async () => {
    const file = { file_upload: { id: await upload(server.owner, 'x'.repeat(200_000), 'long.txt', 'text/plain') } }
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
    for (let turn = 0; turn < 21; turn += 1)
      await talk(server.owner, { session_id: id ?? '', message: `${turn} `.padEnd(10_000, 'y') })
    await talk(server.owner, { session_id: id ?? '', message: 'Look at this', attachments: Array(4).fill(file) as JsonObject[] })
    const { history = [], message } = seen.at(-1) ?? {}
    expect(history.map(({ text }) => text.length).slice(0, 2)).toStrictEqual([10_006, 10_000])
    expect(history).toHaveLength(39)
    expect(history.at(-2)?.text).toMatch(/^20 y/)
    expect(message?.attachments.map(({ text }) => text?.length)).toStrictEqual([200_000, 200_000, 124_288, undefined])
  })

  it('200 with the personal agent of a member who names none, in a private session', async () => {
    const ines = await makeMember(server, exampleWorkspace.people[0].id)
    const { body } = await send({ message: 'Ahoy' }, ines)
    expect(body['agent_id']).toBe('33333333-3333-3333-3333-333333333333')
    const session = await stopped(ines, idOf(body))
    expect(session).toMatchObject({
      status: 'completed',
      agent_version: null,
      chat_user_emails: [exampleWorkspace.people[0].email],
      created_by: { type: 'user', id: exampleWorkspace.people[0].id },
    })
    expectNotFound(await server.owner.call('retrieveSession', { path: { session_id: idOf(body) } }), idOf(body))
  })
})

describe('a session with the personal agent', () => {
  it('is one conversation for every token that acts for the member, and hidden from others', async () => {
    const [ines, tomas] = [
      await makeMember(server, exampleWorkspace.people[0].id),
      await makeMember(server, exampleWorkspace.people[1].id),
    ]
    const client = await makeClient(server)
    const forInes = server.caller((await authorize(server, client)).accessToken)
    const forTomas = server.caller((await authorize(server, client, { email: exampleWorkspace.people[1].email })).accessToken)
    const session_id = String((await talk(ines, { message: 'Ahoy' }))['id'])
    const path = { session_id }
    expect(await talk(forInes, { session_id, message: 'And again' })).toMatchObject({ id: session_id, message_count: 4 })
    expect((await ines.call('retrieveSession', { path })).body).toMatchObject({ message_count: 4 })
    for (const caller of [tomas, forTomas]) {
      expectNotFound(await caller.call('retrieveSession', { path }), session_id)
      expectNotFound(await send({ session_id, message: 'x' }, caller), session_id)
    }
  })
})

describe('createSession with a further message', () => {
  it('409, and no new message, while a turn is in progress', async () => {
    const { body } = await send({ agent_id: agent, message: 'Wait' })
    expectError(await send({ session_id: idOf(body), message: 'Now?' }), 409, 'conflict_error', idOf(body))
    gate.resolve()
    expect(await stopped(server.owner, idOf(body))).toMatchObject({ status: 'completed', message_count: 2 })
  })

  it('404 when the session is missing or not shared', async () => {
    const stranger = await makeConnection(server, { capabilities: ['insert_content', 'read_content'] })
    const { id } = await talk(server.owner, { agent_id: agent, message: 'Ahoy' })
    for (const session_id of [randomUUID(), String(id)])
      expectNotFound(await send({ session_id, message: 'x' }, stranger.caller), session_id)
  })
})

describe('createSession: rights to run an agent', () => {
  it('404 when the agent is missing or not shared', async () => {
    const hidden = await makeAgent(server, {}, [])
    for (const agent_id of [randomUUID(), hidden]) expectNotFound(await send({ agent_id, message: 'x' }), agent_id)
  })

  it('403 for the personal agent, by either name, when the token does not act for a person', async () => {
    const internal = await makeConnection(server, { capabilities: ['insert_content', 'read_content'] })
    for (const agent_id of ['service_ai', '33333333-3333-3333-3333-333333333333']) {
      expectError(await send({ agent_id, message: 'x' }, internal.caller), 403, 'restricted_resource')
      expectError(await send({ agent_id, message: 'x' }), 403, 'restricted_resource')
    }
  })

  it('403 without the capability to insert content', async () => {
    const reader = await makeConnection(server, { capabilities: ['read_content'] })
    expectError(await send({ agent_id: agent, message: 'x' }, reader.caller), 403, 'restricted_resource')
  })

  it('409 for a deleted agent, 403 for a disabled agent, and 403 agent_credit_limit_reached for an agent without credits', async () => {
    const [deleted, disabled] = [await makeAgent(server), await makeAgent(server)]
    const poor = await makeAgent(server, { creditLimit: 0 })
    const state = { pauseReason: null, pauseEndTime: null, deletedTime: null, creditLimit: null, lastEditedTime: 0 }
    await server.service.database.write(async (db) => {
      const { id } = exampleWorkspace.workspace
      await setAgentState(db, id, deleted, { ...state, deletedTime: server.clock.now() })
      await setAgentState(db, id, disabled, { ...state, pauseReason: 'disabled_from_api' })
    })
    expectError(await send({ agent_id: deleted, message: 'x' }), 409, 'agent_deleted', deleted)
    expectError(await send({ agent_id: disabled, message: 'x' }), 403, 'restricted_resource', 'disabled_from_api')
    const refused = await send({ agent_id: poor, message: 'x' })
    expectError(refused, 403, 'agent_credit_limit_reached')
    expect(refused.body['additional_data']).toMatchObject({ tool_error_class: 'entitlement_required' })
    const { body } = await server.owner.call('querySessions', {
      body: { filter: { property: 'agent_id', string: { equals: poor } } },
    })
    expect(body['results']).toStrictEqual([])
  })
})
