import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { updateAgent } from '../../server/domain/agents/administration/agents.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makePage } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { idOf } from '../harness/json.ts'
import { runService, until } from '../harness/process.ts'
import { talk } from '../harness/sessions.ts'
import { copySession, terminations } from '../harness/waiting_sessions.ts'
import { messageFor } from './support/session_client.ts'

const SESSIONS = 3_000
/** Longer than any lease. */
const LEASE_MS = 200_000

const database = await databaseOfFile()
let store: Database
let settings: Record<string, string>
beforeAll(async () => {
  store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  settings = { DATABASE_URL: database.url, FILES_URL: 'file::temporary:', LOG_LEVEL: 'error' }
})
afterAll(() => store.close())

async function endedOnce(): Promise<number> {
  const byTimes = await terminations(store)
  for (const times of byTimes.keys()) expect(times).toBe(1)
  return byTimes.get(1) ?? 0
}

it('each waiting turn of a disabled agent ends once, even if the process that ends them is killed', async () => {
  const first = await runService(settings)
  const page = await makePage(first.owner, 'Board', exampleWorkspace.pages.launchPlan)
  const agent = exampleWorkspace.agents.partsScout
  const message = messageFor({ kind: 'create_page', decision: 'approve', mark: 'Draft', page })
  const session = await talk(first.owner, { agent_id: agent, message })
  expect(session['status']).toBe('requires_action')
  await copySession(store, idOf(session), SESSIONS - 1)

  const pause = { settings: {}, publish: false, pauseReason: 'disabled_by_service' } as const
  await store.write((db) => updateAgent(db, exampleWorkspace.workspace.id, agent, pause, Date.now()))
  await until(async () => ((await endedOnce()) > SESSIONS / 10 ? true : undefined))
  first.kill('SIGKILL')
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(await endedOnce()).toBeLessThan(SESSIONS)

  await store.write((db) => db.run(`update jobs set due_time = due_time - ${LEASE_MS} where state = 'running'`))
  const second = await runService(settings)
  await until(async () => ((await endedOnce()) === SESSIONS ? true : undefined))
  await until(() =>
    store.read(async (db) => ((await db.get({}, `select 1 from jobs where kind = 'agent_end_turns'`)) ? undefined : true)),
  )
  second.kill('SIGTERM')
  expect(await second.ended).toMatchObject({ code: 0 })
  for (const { log } of [first, second]) expect(log()).toStrictEqual([])
})
