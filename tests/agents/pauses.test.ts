import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { billingPeriodOf } from '../../server/domain/agents/billing_period.ts'
import { endTurnsKind } from '../../server/domain/agents/end_turns_kind.ts'
import { addFailure, addRun, addToHour, sumHours } from '../../server/store/agent_watch.ts'
import type { Transaction } from '../../server/store/database.ts'
import { changeAgent, makeAgent, setTerms, spend } from '../harness/agents.ts'
import { idOf, type JsonObject } from '../harness/json.ts'
import { proposing, ScriptedAgents, stopped, talk } from '../harness/sessions.ts'
import { serverOfFile, TestClock } from '../harness/server.ts'
import { sweep } from '../harness/sweeps.ts'
import { settled } from '../harness/triggers.ts'

/** Reasons for which the service pauses agents, and the fate of their turns. */

const HOUR = 3_600_000
const DAY = 24 * HOUR

const scripts = new ScriptedAgents()
scripts.add(
  'Propose',
  proposing(() => 'nowhere', 'Aye'),
)
scripts.add('Fail', async function* () {
  await Promise.resolve()
  yield { type: 'failed', code: 'agent_error', message: 'It failed.', retryable: false }
})
scripts.add('Spend', async function* () {
  await Promise.resolve()
  yield { type: 'usage', inputTokens: 20_000, outputTokens: 0 }
  yield { type: 'message', text: 'Spent.' }
})
const server = await serverOfFile({}, new TestClock(), scripts)

async function stateOf(agent: string): Promise<unknown> {
  const { body } = await server.owner.call('retrieveAgent', { path: { agent_id: agent } })
  return body['pause_reason'] ?? body['status']
}
function failTimes(agent: string, times: number): Promise<void> {
  return server.service.database.write(async (db) => {
    for (let run = 0; run < times; run += 1) await addFailure(db, exampleWorkspace.workspace.id, agent)
  })
}

const DISABLED = { status: 'terminated', error: { code: 'agent_disabled', retryable: false } }

describe('an agent', () => {
  it('is paused after ten failed runs in a row, until it is enabled again', async () => {
    const agent = await makeAgent(server)
    const say = (message: string): Promise<JsonObject> => talk(server.owner, { agent_id: agent, message })
    await failTimes(agent, 9)
    await say('Hello')
    await say('Fail')
    await failTimes(agent, 8)
    expect(await stateOf(agent)).toBe('active')
    await say('Fail')
    expect(await stateOf(agent)).toBe('failure_limit')
    await changeAgent(server, agent, { pauseReason: null })
    await say('Fail')
    expect(await stateOf(agent)).toBe('active')
  })

  it('is paused after failed runs, and its turns that wait for approval end', async () => {
    const agent = await makeAgent(server)
    const waiting = await talk(server.owner, { agent_id: agent, message: 'Propose' })
    expect(waiting['status']).toBe('requires_action')
    await failTimes(agent, 9)
    await talk(server.owner, { agent_id: agent, message: 'Fail' })
    await settled(server)
    expect(await stopped(server.owner, idOf(waiting))).toMatchObject(DISABLED)
  })

  it('is paused after 10,000 runs in a billing period, until the next period', async () => {
    const agent = await makeAgent(server)
    const { start, end } = billingPeriodOf(server.clock.now())
    await server.service.database.write(async (db) => {
      await addRun(db, exampleWorkspace.workspace.id, agent, start)
      await db.run('update agent_watch set runs = 9999 where agent_id = ?', agent)
    })
    expect(await talk(server.owner, { agent_id: agent, message: 'The last one' })).toMatchObject({ status: 'completed' })
    expect(await stateOf(agent)).toBe('active')
    expect(await talk(server.owner, { agent_id: agent, message: 'One more' })).toMatchObject({ status: 'terminated' })
    expect(await stateOf(agent)).toBe('run_limit')
    server.clock.advance(end - server.clock.now())
    expect(await talk(server.owner, { agent_id: agent, message: 'A new month' })).toMatchObject({ status: 'completed' })
  })

  it('is paused when it spends far more in an hour than usual, until its limit is raised', async () => {
    const agent = await makeAgent(server, { creditLimit: 10_000 })
    const hour = server.clock.now() - (server.clock.now() % HOUR)
    await server.service.database.write(async (db) => {
      for (let back = 1; back <= 24; back += 1)
        await addToHour(db, exampleWorkspace.workspace.id, agent, hour - back * HOUR, 1_500)
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

  it('keeps hourly spending records for one month', async () => {
    const agent = await makeAgent(server)
    const hour = server.clock.now() - (server.clock.now() % HOUR)
    await server.service.database.write(async (db) => {
      for (const days of [1, 29, 31, 60]) await addToHour(db, exampleWorkspace.workspace.id, agent, hour - days * DAY, 7)
    })
    await sweep(server.service.database, server.clock.now())
    const left = await server.service.database.write((db) => sumHours(db, exampleWorkspace.workspace.id, agent, 0, hour))
    expect(left).toStrictEqual({ hours: 2, hundredths: 14 })
  })
})

/** Ways in which an agent runs out of credits, each with the remaining credits of the workspace. */
const OUT_OF_CREDITS: readonly (readonly [string, (agent: string) => Promise<unknown>])[] = [
  ['its limit is exhausted by another turn', (agent) => talk(server.owner, { agent_id: agent, message: 'Spend' })],
  [
    'the workspace credits are exhausted by another turn',
    async (agent) => {
      await server.owner.call('updateAgentCreditLimit', { path: { agent_id: agent }, body: { credit_limit: null } })
      await setTerms(server, { credits: 0 })
      await spend(server, agent, 10)
    },
  ],
  [
    'its limit is lowered',
    (agent) => server.owner.call('updateAgentCreditLimit', { path: { agent_id: agent }, body: { credit_limit: 0 } }),
  ],
  ['an administrator lowers its limit', (agent) => changeAgent(server, agent, { creditLimit: 0 })],
  ['the limit of the workspace is lowered', () => setTerms(server, { defaultAgentLimit: 0 })],
  ['an administrator pauses it for its credit limit', (agent) => changeAgent(server, agent, { pauseReason: 'credit_limit' })],
]

describe('an agent without credits', () => {
  it.each(OUT_OF_CREDITS)('ends a turn that waits for a decision when %s', async (_how, runOut) => {
    const agent = await makeAgent(server, { creditLimit: 10 })
    const waiting = await talk(server.owner, { agent_id: agent, message: 'Propose' })
    expect(waiting['status']).toBe('requires_action')
    await runOut(agent)
    await settled(server)
    await setTerms(server, { credits: null, defaultAgentLimit: null })
    expect(await stopped(server.owner, idOf(waiting))).toMatchObject(DISABLED)
  })

  it('is disabled when the credits of its workspace run out during a turn, even if the agent spent none', async () => {
    const agent = await makeAgent(server)
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    scripts.add('Wait', async function* () {
      begun.resolve()
      await gate.promise
      yield { type: 'message', text: 'At last.' }
    })
    const session = idOf((await server.owner.call('createSession', { body: { agent_id: agent, message: 'Wait' } })).body)
    await begun.promise
    await setTerms(server, { credits: 0 })
    gate.resolve()
    expect(await stopped(server.owner, session)).toMatchObject({
      status: 'failed',
      error: { code: 'workspace_credits_exhausted', retryable: false },
    })
    expect(await stateOf(agent)).toBe('workspace_credit_limit')
    await setTerms(server, { credits: null })
    expect(await stateOf(agent)).toBe('active')
  })
})

it('followers of a session in the same process are notified at once when a pause ends its turn', async () => {
  const agent = await makeAgent(server)
  const session = idOf(await talk(server.owner, { agent_id: agent, message: 'Propose' }))
  const { database } = server.service
  await database.write((db) => db.run(`update agents set pause_reason = 'failure_limit' where id = ?`, agent))
  const events: string[] = []
  const job = {
    id: 'job',
    kind: 'agent_end_turns',
    workspaceId: exampleWorkspace.workspace.id,
    key: null,
    payload: { agentId: agent },
    attempts: 1,
  }
  const settle = async (work: (db: Transaction) => Promise<unknown>): Promise<boolean> => {
    await database.write(work)
    return true
  }
  const refused = (): Promise<boolean> => Promise.resolve(false)
  const attempt = {
    signal: new AbortController().signal,
    finish: refused,
    continueAt: refused,
    whileHeld: refused,
    settle,
    extend: refused,
  }
  await endTurnsKind({ now: () => server.clock.now() }, (id) => void events.push(id)).run(job, attempt)
  expect(events).toStrictEqual([session])
  expect(await stopped(server.owner, session)).toMatchObject(DISABLED)
})
