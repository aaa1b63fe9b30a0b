import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { createAgent, plainSettings } from '../../server/domain/agents/administration/agents.ts'
import { enqueue } from '../../server/domain/shared/jobs/queue.ts'
import { scheduleJob } from '../../server/domain/agents/triggers/jobs.ts'
import { listSchedules, setSchedule } from '../../server/store/agent_triggers.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { killCount, livesUntil, reportKills } from '../harness/kills.ts'
import { runService, until, type RunningProcess } from '../harness/process.ts'

/**
 * Two processes share a database; one of them is killed (SIGKILL) repeatedly at random times while schedules of agents are due. In the end
 * each agent has run exactly once for each due time.
 */
const KILLS = killCount(1)
const AGENTS = 24
const DAY = 86_400_000
/** Longer than any lease. */
const LEASE_MS = 200_000
const workspaceId = exampleWorkspace.workspace.id

const database = await databaseOfFile()
let store: Database
let settings: Record<string, string>
beforeAll(async () => {
  store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  settings = { DATABASE_URL: database.url, FILES_URL: 'file::temporary:', LOG_LEVEL: 'error' }
})
afterAll(() => store.close())

/** Agents that run once a day, but not today. */
function makeAgents(): Promise<string[]> {
  const triggers = [{ type: 'recurrence', enabled: true, schedule: { frequency: 'day', interval: 1 } }] as const
  const options = {
    ...plainSettings,
    workspaceId,
    type: 'custom_agent',
    name: 'Watch',
    creditLimit: null,
    createdBy: null,
  } as const
  return store.write(async (db) => {
    const ids: string[] = []
    for (let index = 0; index < AGENTS; index += 1) ids.push(await createAgent(db, { ...options, triggers }, Date.now()))
    return ids
  })
}

/** Sets the next time of each schedule to now. */
function makeDue(agents: readonly string[], time: number): Promise<void> {
  return store.write(async (db) => {
    await db.run(`delete from jobs where kind = 'agent_schedule'`)
    for (const agentId of agents) {
      for (const row of await listSchedules(db, workspaceId, agentId))
        await setSchedule(db, { ...row, anchor_time: row.anchor_time - DAY, next_time: time })
      await enqueue(db, scheduleJob(workspaceId, { agentId, position: 0, time }))
    }
  })
}

const count = async (sql: string, ...parameters: string[]): Promise<number> =>
  (await store.read((db) => db.get({ n: 'integer' }, `select count(*) as n from ${sql}`, ...parameters)))?.n ?? 0
const started = (): Promise<number> => count(`sessions where trigger_type = 'recurrence'`)
const unfinished = (): Promise<number> =>
  count(`jobs where kind in ('agent_schedule', 'session turn') and state <> 'dead' and due_time < ${Date.now() + DAY / 2}`)

/** Ends all leases, including those of a process that is alive and working. */
const endLeases = (): Promise<void> =>
  store.write((db) =>
    db.run(
      `update jobs set due_time = due_time - ${LEASE_MS} where state = 'running' and kind in ('agent_schedule', 'session turn')`,
    ),
  )

it('kills while schedules fall due lose no run and repeat none', { timeout: 3_600_000 }, async () => {
  let [victim, survivor]: [RunningProcess, RunningProcess] = [await runService(settings), await runService(settings)]
  const agents = await makeAgents()
  let [kills, left] = [0, 0]
  for (const kill of livesUntil(() => left > 0, KILLS)) {
    const enough = kill * AGENTS + Math.floor((Math.random() * AGENTS) / 2)
    await makeDue(agents, Date.now())
    await until(async () => ((await started()) >= enough ? true : undefined))
    victim.kill('SIGKILL')
    kills += 1
    expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(victim.log()).toStrictEqual([])
    left += await unfinished()
    await endLeases()
    ;[victim, survivor] = [survivor, await runService(settings)]
    await until(async () => ((await unfinished()) === 0 ? true : undefined))
  }
  for (const id of agents) expect(await count('sessions where agent_id = ?', id), id).toBe(kills)
  const rows = await store.read((db) => db.all({ status: 'text' }, 'select distinct status from sessions'))
  for (const { status } of rows) expect(['completed', 'failed']).toContain(status)
  expect(left, 'jobs were left when processes were killed').toBeGreaterThan(0)
  reportKills(`${AGENTS * kills} scheduled runs, each once; at the kills ${left} jobs were unfinished`)
  for (const one of [victim, survivor]) {
    one.kill('SIGTERM')
    expect(await one.ended).toMatchObject({ code: 0 })
    expect(one.log()).toStrictEqual([])
  }
})
