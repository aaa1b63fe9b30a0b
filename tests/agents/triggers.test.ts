import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentTrigger } from '../../generated/types.ts'
import { story } from '../../server/bootstrap/story.ts'
import { closeItem } from '../../server/domain/sharing.ts'
import { billingPeriodOf } from '../../server/domain/agents/billing_period.ts'
import { addFailure, addRun, addToHour, sumHours } from '../../server/store/agent_watch.ts'
import { columnTypes } from '../../server/store/dialects/column_types.ts'
import { agentTriggers } from '../../server/store/migrations/agent_triggers.ts'
import { changeAgent, makeAgent, spend } from '../harness/agents.ts'
import { onWorkspace, workspaceConnection } from '../harness/agent_host.ts'
import { commentOn, makeComment } from '../harness/comments.ts'
import { append, makePage } from '../harness/content.ts'
import { engine, makeDatabase } from '../harness/databases.ts'
import { at, resultsOf, type JsonObject } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { startTestServer, TestClock, type TestServer } from '../harness/server.ts'
import { decision, eventsOf, proposing, ScriptedAgents, stopped, talk } from '../harness/sessions.ts'
import { sweep } from '../harness/sweeps.ts'

/** What starts agents without being asked, what they are then, and what the service pauses them for. */

const HOUR = 3_600_000
const DAY = 24 * HOUR
const everywhere = [workspaceConnection([onWorkspace('reader')])]

const scripts = new ScriptedAgents()
let server: TestServer
let page: string
beforeAll(async () => {
  server = await startTestServer({}, new TestClock(), scripts)
  page = await makePage(server.owner, 'Yard')
  scripts.add('Answer kindly.', async function* ({ message }) {
    await Promise.resolve()
    yield { type: 'message', text: message.promptContext ?? 'nothing' }
  })
  scripts.add(
    'Propose',
    proposing(() => page, 'Aye'),
  )
  scripts.add('Fail', async function* () {
    await Promise.resolve()
    yield { type: 'failed', code: 'agent_error', message: 'It failed.', retryable: false }
  })
})
afterAll(() => server.stop())

const on = (type: string, text?: string): AgentTrigger => ({
  ...{ type, enabled: true },
  ...(text === undefined ? {} : { config: { message: { text } } }),
})
const daily: AgentTrigger = {
  ...{ type: 'recurrence', enabled: true, config: { message: { text: 'Look after the yard.' } } },
  schedule: { frequency: 'day', interval: 1, hour: 6, minute: 0 },
}
const mentioning = (id: string): object => ({ mention: { user: { id } } })

/** Whatever was due has been done. */
async function settled(of = server): Promise<void> {
  await until(() =>
    of.service.database.read(async (db) => {
      const kinds = `('agent_schedule', 'agent_change', 'agent_triggers', 'session turn')`
      const due = await db.get(
        {},
        `select 1 as due from jobs where kind in ${kinds} and state <> 'dead' and due_time <= ?`,
        of.clock.now() + HOUR / 6,
      )
      return due ? undefined : true
    }),
  )
}

async function sessionsOf(agent: string, of = server): Promise<JsonObject[]> {
  await settled(of)
  const filter = { property: 'agent_id', string: { equals: agent } }
  const body = { filter, sorts: [{ property: 'created_at', direction: 'ascending' }] }
  return resultsOf((await of.owner.call('querySessions', { body })).body)
}

function textOf(event: JsonObject | undefined): unknown {
  return at(event ?? {}, 'content', 0, 'text')
}

async function stateOf(agent: string): Promise<unknown> {
  const { body } = await server.owner.call('retrieveAgent', { path: { agent_id: agent } })
  return body['pause_reason'] ?? body['status']
}

describe('recurrence', () => {
  it('starts a session of the bot at its time, and the next one a day later; what it says was set up with it', async () => {
    const agent = await makeAgent(server, { triggers: [daily] })
    expect(await sessionsOf(agent)).toHaveLength(0)
    server.clock.advance(2 * HOUR)
    const [session] = await sessionsOf(agent)
    expect(session).toMatchObject({
      ...{ title: 'Look after the yard.', status: 'completed', trigger_type: 'recurrence', type_labels: ['triggered'] },
      ...{ created_by: { type: 'bot', id: agent }, message_count: 2, chat_user_emails: [] },
    })
    const [asked, said] = await eventsOf(server.owner, String(session?.['id']))
    expect(asked).toMatchObject({ type: 'user.message', created_by: null, sequence: 1 })
    expect(said).toMatchObject({ type: 'agent.message', created_by: { type: 'bot', id: agent } })
    expect(await sessionsOf(agent)).toHaveLength(1)
    server.clock.advance(DAY)
    expect(await sessionsOf(agent)).toHaveLength(2)
    await changeAgent(server, agent, { settings: { triggers: [{ ...daily, enabled: false }] } })
    server.clock.advance(DAY)
    expect(await sessionsOf(agent)).toHaveLength(2)
  })

  it('ends after as many runs as it was given; starts nothing while the agent is disabled, and makes up for nothing', async () => {
    const schedule = { ...daily.schedule, frequency: 'day', interval: 1, end: { type: 'count', occurrences: 2 } } as const
    const agent = await makeAgent(server, { triggers: [{ ...daily, schedule }] })
    await changeAgent(server, agent, { pauseReason: 'needs_user_review' })
    server.clock.advance(2 * DAY)
    expect(await sessionsOf(agent)).toHaveLength(0)
    await changeAgent(server, agent, { pauseReason: null })
    expect(await sessionsOf(agent)).toHaveLength(0)
    for (const runs of [1, 2, 2]) {
      server.clock.advance(DAY)
      expect(await sessionsOf(agent)).toHaveLength(runs)
    }
  })

  it('was set up before triggers fired: it is due from the upgrade on, and starts whoever waits for changes too', async () => {
    const [step = ''] = agentTriggers.statements(columnTypes[engine], engine).slice(-1)
    const agent = await makeAgent(server, { triggers: [daily, on('workspace.page.created')], connections: everywhere })
    await server.service.database.write(async (db) => {
      for (const table of ['agent_schedules', 'agent_triggers']) await db.run(`delete from ${table} where agent_id = ?`, agent)
      await db.run(step)
    })
    await settled()
    await makePage(server.owner, 'After the upgrade')
    expect(await sessionsOf(agent)).toHaveLength(1)
    server.clock.advance(DAY)
    expect((await sessionsOf(agent)).map((session) => session['trigger_type'])).toStrictEqual([
      'workspace.page.created',
      'recurrence',
    ])
  })

  it('that has been replaced by another one is not due at the times it had', async () => {
    const agent = await makeAgent(server, { triggers: [daily] })
    const evening = { ...daily, schedule: { frequency: 'day', interval: 1, hour: 23, minute: 0 } } as const
    await changeAgent(server, agent, { settings: { triggers: [evening] } })
    server.clock.advance(DAY)
    expect(await sessionsOf(agent)).toHaveLength(1)
  })

  it('whose job has died is started by the next sweep', async () => {
    const agent = await makeAgent(server, { triggers: [daily] })
    await server.service.database.write((db) => db.run(`delete from jobs where kind = 'agent_schedule'`))
    server.clock.advance(DAY)
    expect(await sessionsOf(agent)).toHaveLength(0)
    await sweep(server.service.database, server.clock.now())
    expect(await sessionsOf(agent)).toHaveLength(1)
  })

  it('starts once after three days without a process, although two come back at the same time', async () => {
    const database = await makeDatabase('none')
    const clock = new TestClock()
    const settings = { DATABASE_URL: database.url }
    const first = await startTestServer(settings, clock, scripts)
    const agent = await makeAgent(first, { triggers: [daily] })
    await first.stop()
    clock.advance(3 * DAY)
    const both = await Promise.all([startTestServer(settings, clock, scripts), startTestServer(settings, clock, scripts)])
    try {
      expect(await sessionsOf(agent, both[0])).toHaveLength(1)
      clock.advance(DAY)
      expect(await sessionsOf(agent, both[1])).toHaveLength(2)
    } finally {
      await Promise.all(both.map((one) => one.stop()))
      await database.drop()
    }
  })
})

describe('what happens in the workspace', () => {
  it('a page or a comment starts whoever waits for it and may read it', async () => {
    const triggers = [on('workspace.page.created'), on('workspace.comment.created', 'Answer kindly.')]
    const agent = await makeAgent(server, { triggers, connections: everywhere })
    const blind = await makeAgent(server, { triggers })
    const made = await makePage(server.owner, 'Heron', page)
    await settled()
    server.clock.advance(1_000)
    await commentOn(server.owner, made, 'Mind the tide')
    expect((await sessionsOf(agent)).map(({ title, trigger_type: type }) => [type, title])).toStrictEqual([
      ['workspace.page.created', 'A page was created.'],
      ['workspace.comment.created', 'Answer kindly.'],
    ])
    expect(await sessionsOf(blind)).toHaveLength(0)
    const [whole] = (await sessionsOf(agent)).slice(1)
    const [asked, told] = await eventsOf(server.owner, String(whole?.['id']))
    expect(asked).toMatchObject({ type: 'user.message', content: [{ type: 'text', text: 'Answer kindly.' }] })
    expect(textOf(told)).toMatch(/^Heron \(.*\)\nMind the tide$/)
    await server.service.database.write((db) =>
      closeItem(db, story.workspace.id, page, story.people[0]?.id ?? '', server.clock.now()),
    )
    await makePage(server.owner, 'Closed to everybody else', page)
    expect(await sessionsOf(agent)).toHaveLength(2)
    page = await makePage(server.owner, 'Open yard')
    await changeAgent(server, agent, { settings: { triggers: [] } })
  })

  it('a mention in a block, a comment or a title starts the agent once for each place, until it is mentioned there anew', async () => {
    const agent = await makeAgent(server, { triggers: [on('workspace.agent.mentioned')], connections: everywhere })
    const other = await makeAgent(server, { triggers: [on('workspace.agent.mentioned')], connections: everywhere })
    const [block] = await append(server.owner, page, [{ paragraph: { rich_text: [mentioning(agent)] } }])
    expect(await sessionsOf(agent)).toHaveLength(1)
    const write = (...rich_text: object[]): Promise<unknown> =>
      server.owner.call('updateBlock', { path: { block_id: String(block?.['id']) }, body: { paragraph: { rich_text } } })
    await write(mentioning(agent), { text: { content: ' again' } })
    expect(await sessionsOf(agent)).toHaveLength(1)
    await write({ text: { content: agent } })
    await settled()
    await write(mentioning(agent))
    expect(await sessionsOf(agent)).toHaveLength(2)
    await makeComment(server.owner, { parent: { page_id: page }, rich_text: [mentioning(agent)] })
    await server.owner.call('createPage', { body: { properties: { title: { title: [mentioning(agent)] } } } })
    expect(await sessionsOf(agent)).toHaveLength(4)
    expect(await sessionsOf(other)).toHaveLength(0)
  })

  it('what an agent writes with approval starts another one, but none of those that led to it', async () => {
    const own = await startTestServer()
    try {
      const yard = await makePage(own.owner, 'Yard')
      const wishes = {
        triggers: [on('workspace.comment.created', `comment "Aye" on "${yard}"`)],
        connections: [workspaceConnection([onWorkspace('comment_only')])],
      }
      const first = await makeAgent(own, wishes)
      await commentOn(own.owner, yard)
      const [asked] = await sessionsOf(first, own)
      const second = await makeAgent(own, wishes)
      await approve(own, asked)
      const [answered, ...others] = await sessionsOf(second, own)
      expect(others).toHaveLength(0)
      await approve(own, answered)
      expect(await sessionsOf(second, own)).toHaveLength(1)
      expect(await sessionsOf(first, own)).toHaveLength(1)
      const third = await makeAgent(own, wishes)
      for (const [before, started] of [
        [3, 1],
        [4, 0],
      ] as const) {
        await commentOn(own.owner, yard)
        const [waiting] = (await sessionsOf(first, own)).filter(({ status }) => status === 'requires_action')
        const known = (await sessionsOf(third, own)).length
        const chain = JSON.stringify(Array.from({ length: before }, () => randomUUID()))
        await own.service.database.write((db) =>
          db.run('update sessions set trigger_chain = ? where id = ?', chain, String(waiting?.['id'])),
        )
        await approve(own, waiting)
        expect((await sessionsOf(third, own)).length - known, `behind ${before} others`).toBe(started)
      }
    } finally {
      await own.stop()
    }
  })

  it('starts an agent twenty times for one request at most', async () => {
    const triggers = Array.from({ length: 22 }, () => on('workspace.page.created'))
    const agent = await makeAgent(server, { triggers, connections: everywhere })
    await makePage(server.owner, 'Much ado')
    expect(await sessionsOf(agent)).toHaveLength(20)
    await changeAgent(server, agent, { settings: { triggers: [] } })
  })

  it('an agent looks with the eyes of the member who made it', async () => {
    const [ines, other] = story.people.map(({ id }) => id)
    const connections = [
      workspaceConnection([onWorkspace('reader'), { target: { type: 'owner_private_pages' }, scopes: ['reader'] }]),
    ]
    const wishes = { triggers: [on('workspace.page.created')], connections }
    const own = await makeAgent(server, { ...wishes, createdBy: ines ?? null })
    const others = await makeAgent(server, { ...wishes, createdBy: other ?? null })
    const closed = await makePage(server.owner, 'For one member')
    const seen = [(await sessionsOf(own)).length, (await sessionsOf(others)).length]
    expect(seen).toStrictEqual([1, 1])
    await server.service.database.write((db) => closeItem(db, story.workspace.id, closed, ines ?? '', server.clock.now()))
    await makePage(server.owner, 'Below it', closed)
    expect([(await sessionsOf(own)).length, (await sessionsOf(others)).length]).toStrictEqual([2, 1])
    for (const id of [own, others]) await changeAgent(server, id, { settings: { triggers: [] } })
  })

  it('starts no agent that is disabled, deleted or has nothing left to spend', async () => {
    const wishes = { triggers: [on('workspace.page.created')], connections: everywhere }
    const [disabled, deleted, spent] = [
      await makeAgent(server, wishes),
      await makeAgent(server, wishes),
      await makeAgent(server, { ...wishes, creditLimit: 0 }),
    ]
    await server.owner.call('updateAgentStatus', { path: { agent_id: disabled }, body: { status: 'disabled' } })
    await server.owner.call('deleteAgent', { path: { agent_id: deleted } })
    await makePage(server.owner, 'Nobody sees to it')
    for (const agent of [disabled, deleted, spent]) expect(await sessionsOf(agent)).toHaveLength(0)
  })
})

/** Lets a session do what it proposes. */
async function approve(of: TestServer, session: JsonObject | undefined): Promise<void> {
  expect(session).toMatchObject({ status: 'requires_action' })
  const answer = await of.owner.call('createSession', { body: decision(session ?? {}, 'approve') })
  expect((await stopped(of.owner, String(answer.body['id'])))['status']).toBe('completed')
}

describe('the bot of an agent', () => {
  it('is a user with the id and the name of the agent, as long as there is the agent', async () => {
    const agent = await makeAgent(server, { name: 'Deck Hand' })
    const user = (): Promise<unknown> => server.owner.call('retrieveUser', { path: { user_id: agent } }).then(({ body }) => body)
    expect(await user()).toMatchObject({ object: 'user', type: 'bot', id: agent, name: 'Deck Hand', bot: {} })
    await changeAgent(server, agent, { settings: { name: 'First Mate' } })
    expect(await user()).toMatchObject({ name: 'First Mate' })
    const listed = async (): Promise<unknown> =>
      resultsOf((await server.owner.call('listUsers')).body).some(({ id }) => id === agent)
    expect(await listed()).toBe(true)
    await server.owner.call('deleteAgent', { path: { agent_id: agent } })
    expect(await listed()).toBe(false)
  })
})

describe('the service pauses an agent', () => {
  it('after ten failed runs in a row, until an editor enables it', async () => {
    const agent = await makeAgent(server)
    const say = (message: string): Promise<JsonObject> => talk(server.owner, { agent_id: agent, message })
    const failNineTimes = (): Promise<void> =>
      server.service.database.write(async (db) => {
        for (let run = 0; run < 9; run += 1) await addFailure(db, story.workspace.id, agent)
      })
    await failNineTimes()
    await say('Hello')
    await failNineTimes()
    expect(await stateOf(agent)).toBe('active')
    await say('Fail')
    expect(await stateOf(agent)).toBe('failure_limit')
    await changeAgent(server, agent, { pauseReason: null })
    await say('Fail')
    expect(await stateOf(agent)).toBe('active')
  })

  it('and ends the turns that wait for an approval', async () => {
    const agent = await makeAgent(server)
    const waiting = await talk(server.owner, { agent_id: agent, message: 'Propose' })
    expect(waiting['status']).toBe('requires_action')
    await server.service.database.write(async (db) => {
      for (let run = 0; run < 9; run += 1) await addFailure(db, story.workspace.id, agent)
    })
    await talk(server.owner, { agent_id: agent, message: 'Fail' })
    const ended = await until(async () => {
      const { body } = await server.owner.call('retrieveSession', { path: { session_id: String(waiting['id']) } })
      return body['status'] === 'requires_action' ? undefined : body
    })
    expect(ended).toMatchObject({ status: 'terminated', error: { code: 'agent_disabled' } })
  })

  it('for too many runs in a billing period, until the next one', async () => {
    const agent = await makeAgent(server)
    const { start, end } = billingPeriodOf(server.clock.now())
    await server.service.database.write(async (db) => {
      await addRun(db, story.workspace.id, agent, start)
      await db.run('update agent_watch set runs = 9999 where agent_id = ?', agent)
    })
    expect(await talk(server.owner, { agent_id: agent, message: 'The last one' })).toMatchObject({ status: 'completed' })
    expect(await stateOf(agent)).toBe('active')
    expect(await talk(server.owner, { agent_id: agent, message: 'One more' })).toMatchObject({ status: 'terminated' })
    expect(await stateOf(agent)).toBe('run_limit')
    server.clock.advance(end - server.clock.now())
    expect(await talk(server.owner, { agent_id: agent, message: 'A new month' })).toMatchObject({ status: 'completed' })
  })

  it('that spends far more in an hour than it usually does, until its limit is raised', async () => {
    const agent = await makeAgent(server, { creditLimit: 10_000 })
    const hour = server.clock.now() - (server.clock.now() % HOUR)
    await server.service.database.write(async (db) => {
      for (let back = 1; back <= 24; back += 1) await addToHour(db, story.workspace.id, agent, hour - back * HOUR, 1_500)
    })
    await spend(server, agent, 150_000)
    expect(await stateOf(agent)).toBe('active')
    await spend(server, agent, 10)
    expect(await stateOf(agent)).toBe('runaway_credit_usage')
    await server.owner.call('updateAgentCreditLimit', { path: { agent_id: agent }, body: { credit_limit: 20_000 } })
    expect(await stateOf(agent)).toBe('active')
    await spend(server, agent, 10_000)
    expect(await stateOf(agent)).toBe('active')
  })

  it('and forgets what it spent in hours that are long gone', async () => {
    const agent = await makeAgent(server)
    const hour = server.clock.now() - (server.clock.now() % HOUR)
    await server.service.database.write(async (db) => {
      for (const days of [1, 29, 31, 60]) await addToHour(db, story.workspace.id, agent, hour - days * DAY, 7)
    })
    await sweep(server.service.database, server.clock.now())
    const left = await server.service.database.write((db) => sumHours(db, story.workspace.id, agent, 0, hour))
    expect(left).toStrictEqual({ hours: 2, hundredths: 14 })
  })
})
