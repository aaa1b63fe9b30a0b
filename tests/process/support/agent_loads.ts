import { expect } from 'vitest'
import type { AgentConnection, AgentTrigger } from '../../../generated/types.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createAgent, plainSettings, updateAgent } from '../../../server/domain/agents/administration/agents.ts'
import { enqueue } from '../../../server/domain/shared/jobs/queue.ts'
import { FOLLOW_KIND, SCHEDULE_KIND, scheduleJob } from '../../../server/domain/agents/triggers/jobs.ts'
import { listSchedules, setSchedule } from '../../../server/store/agent_triggers.ts'
import { onWorkspace, workspaceConnection } from '../../harness/agent_host.ts'
import { appendOne, makePage, text } from '../../harness/content.ts'
import { idOf } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { stopped, talk } from '../../harness/sessions.ts'
import { copySession, terminations } from '../../harness/waiting_sessions.ts'
import type { SmallService } from './small_service.ts'
import { messageFor } from './session_client.ts'

const { id: workspaceId } = exampleWorkspace.workspace
/** The maximum number of triggers of an agent. */
const TRIGGERS = 100
/** The longest message of a trigger. */
const MESSAGE = 'x'.repeat(10_000)
const SESSIONS = 1_000

async function makeAgent(
  { store }: SmallService,
  triggers: readonly AgentTrigger[],
  connections: readonly AgentConnection[] = [],
): Promise<string> {
  const options = {
    ...plainSettings,
    workspaceId,
    type: 'custom_agent',
    name: 'Watch',
    creditLimit: null,
    createdBy: null,
  } as const
  return store.write((db) => createAgent(db, { ...options, triggers, connections: [...connections] }, Date.now()))
}

const daily: AgentTrigger = {
  type: 'recurrence',
  enabled: true,
  schedule: { frequency: 'day', interval: 1 },
  config: { message: { text: MESSAGE } },
}

const count = async ({ store }: SmallService, query: string, ...values: string[]): Promise<number> =>
  (await store.read((db) => db.get({ n: 'integer' }, `select count(*) as n from ${query}`, ...values)))?.n ?? 0

async function untilNone(small: SmallService, query: string, ...values: string[]): Promise<void> {
  await until(async () => ((await count(small, query, ...values)) === 0 ? true : undefined))
}

/**
 * An agent with the maximum number of schedules, all of them an hour overdue.
 * @returns its id
 */
async function overdueAgent(small: SmallService): Promise<string> {
  const agentId = await makeAgent(small, Array<AgentTrigger>(TRIGGERS).fill(daily))
  const time = Date.now() - 3_600_000
  await small.store.write(async (db) => {
    await db.run(`delete from jobs where kind = '${SCHEDULE_KIND}'`)
    for (const row of await listSchedules(db, workspaceId, agentId)) await setSchedule(db, { ...row, next_time: time })
  })
  return agentId
}

async function untilStarted(small: SmallService, agentId: string): Promise<void> {
  await until(async () => ((await count(small, 'sessions where agent_id = ?', agentId)) === TRIGGERS ? true : undefined))
  await untilNone(small, `sessions where agent_id = ? and status in ('queued', 'in_progress')`, agentId)
}

export async function runSchedules(small: SmallService): Promise<void> {
  const agentId = await overdueAgent(small)
  await small.store.write(async (db) => {
    for (const { position, next_time: time } of await listSchedules(db, workspaceId, agentId))
      await enqueue(db, scheduleJob(workspaceId, { agentId, position, time: time ?? 0 }))
  })
  await untilStarted(small, agentId)
}

export async function sweepSchedules(small: SmallService): Promise<void> {
  const agentId = await overdueAgent(small)
  await small.store.write((db) =>
    db.run(`update jobs set due_time = 1 where kind = 'sweep_agent_schedules' and state = 'waiting'`),
  )
  await untilStarted(small, agentId)
}

export async function followTriggers(small: SmallService): Promise<void> {
  const agentId = await makeAgent(small, Array<AgentTrigger>(TRIGGERS).fill(daily))
  await small.store.write(async (db) => {
    await db.run(`delete from agent_schedules`)
    await enqueue(db, { kind: FOLLOW_KIND, workspaceId, payload: { agentId }, dueTime: Date.now() })
  })
  await until(async () => ((await count(small, 'agent_schedules where agent_id = ?', agentId)) === TRIGGERS ? true : undefined))
}

/** The maximum number of places that a change examines, besides the page. */
const PLACES_MAX = 999

/** Changes a page whose blocks have the longest text and all mention an agent. */
export async function mentionEverywhere(small: SmallService): Promise<void> {
  const { service, store } = small
  const mentioned = { type: 'workspace.agent.mentioned', enabled: true } as const
  const agentId = await makeAgent(small, [mentioned], [workspaceConnection([onWorkspace('reader')])])
  const { owner } = service
  const markdown = 'x\n'.repeat(PLACES_MAX - 1)
  const { status, text: response, body } = await owner.call('createPage', { body: { parent: { page_id: small.page }, markdown } })
  expect(status, response).toBe(200)
  const page = idOf(body)
  const long = Array<object>(99).fill(text('x'.repeat(2_000)))
  const block = await appendOne(owner, page, { paragraph: { rich_text: [...long, { mention: { user: { id: agentId } } }] } })
  await untilNone(small, `jobs where kind = 'agent_change' and state <> 'dead'`)
  await store.write(async (db) => {
    await db.run('delete from agent_mentions')
    await db.run(
      `update blocks set content = (select content from blocks where id = ?) where parent_id = ? and id <> ?`,
      ...[block, page, block],
    )
  })
  await owner.call('updatePage', { path: { page_id: page }, body: { properties: { title: { title: [text('Long')] } } } })
  await untilNone(small, `jobs where kind = 'agent_change' and state <> 'dead'`)
  expect(await count(small, 'agent_mentions where agent_id = ?', agentId)).toBe(PLACES_MAX)
  await untilNone(small, `sessions where agent_id = ? and status in ('queued', 'in_progress')`, agentId)
}

/** A session that waits for a decision. */
async function waitingSession({ service }: SmallService): Promise<string> {
  const page = await makePage(service.owner, 'Board', exampleWorkspace.pages.launchPlan)
  const message = messageFor({ kind: 'create_page', decision: 'approve', mark: 'Draft', page })
  const session = await talk(service.owner, { agent_id: exampleWorkspace.agents.partsScout, message })
  expect(session['status']).toBe('requires_action')
  return idOf(session)
}

export async function endTurns(small: SmallService): Promise<void> {
  const { store } = small
  await copySession(store, await waitingSession(small), SESSIONS - 1)
  const pause = (pauseReason: 'disabled_by_service' | null): Promise<void> =>
    store.write((db) =>
      updateAgent(db, workspaceId, exampleWorkspace.agents.partsScout, { settings: {}, publish: false, pauseReason }, Date.now()),
    )
  await pause('disabled_by_service')
  await until(async () => ((await terminations(store)).get(1) === SESSIONS ? true : undefined))
  await pause(null)
}

export async function reachLimit(small: SmallService): Promise<void> {
  const session = await waitingSession(small)
  await small.store.write((db) => db.run(`update jobs set due_time = 1 where kind = 'session limit'`))
  const ended = await until(async () => {
    const body = await stopped(small.service.owner, session)
    return body['status'] === 'requires_action' ? undefined : body
  })
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'action_expired' } })
}

/** Runs a batch with the maximum number of operations on one agent, which end its turns. */
export async function runBatch(small: SmallService): Promise<void> {
  const { owner } = small.service
  const operations = Array.from({ length: 100 }, (_operation, index) => ({
    action: 'update_credit_limit',
    agent_id: exampleWorkspace.agents.partsScout,
    fields: { credit_limit: 1_000 + index },
  }))
  const { status, text: response, body } = await owner.call('createAgentBatch', { body: { operations } })
  expect(status, response).toBe(202)
  const result = await until(async () => {
    const { body: task } = await owner.call('retrieveAsyncTask', { path: { task_id: idOf(body) } })
    return ['succeeded', 'failed'].includes(String(task['status'])) ? task : undefined
  })
  expect(result['status']).toBe('succeeded')
}

/** Fills a page from a template with the maximum number of blocks. */
export async function fillFromTemplate(small: SmallService, template: string): Promise<void> {
  const body = { parent: { page_id: small.page }, template: { type: 'template_id', template_id: template } }
  const { status, text: response } = await small.service.owner.call('createPage', { body })
  expect(status, response).toBe(200)
  await untilNone(small, `async_tasks where operation = 'apply template' and finished_time is null`)
  expect(await count(small, `async_tasks where operation = 'apply template' and status <> 'succeeded'`)).toBe(0)
}
