import { describe, expect, it } from 'vitest'
import type { AgentTrigger } from '../../generated/types.ts'
import { columnTypes } from '../../server/store/dialects/column_types.ts'
import { agentTriggers } from '../../server/store/migrations/agent_triggers.ts'
import { changeAgent, makeAgent } from '../harness/agents.ts'
import { onWorkspace, workspaceConnection } from '../harness/agent_host.ts'
import { makePage } from '../harness/content.ts'
import { engine, makeDatabase } from '../harness/databases.ts'
import { serverOfFile, startTestServer, TestClock } from '../harness/server.ts'
import { eventsOf, ScriptedAgents } from '../harness/sessions.ts'
import { sweep } from '../harness/sweeps.ts'
import { on, sessionsOf, settled } from '../harness/triggers.ts'

/** A schedule starts its agent. */

const HOUR = 3_600_000
const DAY = 24 * HOUR

const scripts = new ScriptedAgents()
const server = await serverOfFile({}, new TestClock(), scripts)
const everywhere = [workspaceConnection([onWorkspace('reader')])]

const daily: AgentTrigger = {
  ...{ type: 'recurrence', enabled: true, config: { message: { text: 'Look after the yard.' } } },
  schedule: { frequency: 'day', interval: 1, hour: 6, minute: 0 },
}

/** The last step of the migration, in the form for SQLite with text ids, applied to today's ids. */
function lastStep(): string {
  const step = agentTriggers.statements(columnTypes[engine], engine).at(-1) ?? ''
  if (engine !== 'sqlite') return step
  const parts = [
    [1, 8],
    [9, 4],
    [13, 4],
    [17, 4],
    [21, 12],
  ].map(([from, length]) => `substr(hex(id), ${from}, ${length})`)
  return step.replace('cast(id as text)', 'id').replace('|| id ||', `|| lower(${parts.join(" || '-' || ")}) ||`)
}

describe('a schedule of an agent', () => {
  it("starts a session with its message in the name of the agent's bot at the scheduled time, and another a day later", async () => {
    const agent = await makeAgent(server, { triggers: [daily] })
    expect(await sessionsOf(server, agent)).toHaveLength(0)
    server.clock.advance(2 * HOUR)
    const [session] = await sessionsOf(server, agent)
    expect(session).toMatchObject({
      ...{ title: 'Look after the yard.', status: 'completed', trigger_type: 'recurrence', type_labels: ['triggered'] },
      ...{ created_by: { type: 'bot', id: agent }, message_count: 2, chat_user_emails: [] },
    })
    const [message, reply] = await eventsOf(server.owner, String(session?.['id']))
    expect(message).toMatchObject({ type: 'user.message', created_by: null, sequence: 1 })
    expect(reply).toMatchObject({ type: 'agent.message', created_by: { type: 'bot', id: agent } })
    expect(await sessionsOf(server, agent)).toHaveLength(1)
    server.clock.advance(DAY)
    expect(await sessionsOf(server, agent)).toHaveLength(2)
    await changeAgent(server, agent, { settings: { triggers: [{ ...daily, enabled: false }] } })
    server.clock.advance(DAY)
    expect(await sessionsOf(server, agent)).toHaveLength(2)
  })

  it('ends after its number of runs, and never makes up for runs skipped while the agent was disabled', async () => {
    const schedule = { ...daily.schedule, frequency: 'day', interval: 1, end: { type: 'count', occurrences: 2 } } as const
    const agent = await makeAgent(server, { triggers: [{ ...daily, schedule }] })
    await changeAgent(server, agent, { pauseReason: 'needs_user_review' })
    server.clock.advance(2 * DAY)
    expect(await sessionsOf(server, agent)).toHaveLength(0)
    await changeAgent(server, agent, { pauseReason: null })
    expect(await sessionsOf(server, agent)).toHaveLength(0)
    for (const runs of [1, 2, 2]) {
      server.clock.advance(DAY)
      expect(await sessionsOf(server, agent)).toHaveLength(runs)
    }
  })

  it('is set up by the upgrade for agents created before it, and so are their other triggers', async () => {
    const agent = await makeAgent(server, { triggers: [daily, on('workspace.page.created')], connections: everywhere })
    await server.service.database.write(async (db) => {
      for (const table of ['agent_schedules', 'agent_triggers']) await db.run(`delete from ${table} where agent_id = ?`, agent)
      await db.run(lastStep())
    })
    await settled(server)
    await makePage(server.owner, 'After the upgrade')
    expect(await sessionsOf(server, agent)).toHaveLength(1)
    server.clock.advance(DAY)
    expect((await sessionsOf(server, agent)).map((session) => session['trigger_type'])).toStrictEqual([
      'workspace.page.created',
      'recurrence',
    ])
  })

  it('does not run at its old times after a new schedule replaces it', async () => {
    const agent = await makeAgent(server, { triggers: [daily] })
    const evening = { ...daily, schedule: { frequency: 'day', interval: 1, hour: 23, minute: 0 } } as const
    await changeAgent(server, agent, { settings: { triggers: [evening] } })
    server.clock.advance(DAY)
    expect(await sessionsOf(server, agent)).toHaveLength(1)
  })

  it('is restarted by the next sweep when its job is missing', async () => {
    const agent = await makeAgent(server, { triggers: [daily] })
    await server.service.database.write((db) => db.run(`delete from jobs where kind = 'agent_schedule'`))
    server.clock.advance(DAY)
    expect(await sessionsOf(server, agent)).toHaveLength(0)
    await sweep(server.service.database, server.clock.now())
    expect(await sessionsOf(server, agent)).toHaveLength(1)
  })

  it('runs once after three days without a process, even if two processes start at the same time', async () => {
    const database = await makeDatabase('none')
    const clock = new TestClock()
    const settings = { DATABASE_URL: database.url }
    const first = await startTestServer(settings, clock, scripts)
    const agent = await makeAgent(first, { triggers: [daily] })
    await first.stop()
    clock.advance(3 * DAY)
    const both = await Promise.all([startTestServer(settings, clock, scripts), startTestServer(settings, clock, scripts)])
    try {
      expect(await sessionsOf(both[0], agent)).toHaveLength(1)
      clock.advance(DAY)
      expect(await sessionsOf(both[1], agent)).toHaveLength(2)
    } finally {
      await Promise.all(both.map((one) => one.stop()))
      await database.drop()
    }
  })
})
