import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { updateAgent } from '../../../server/domain/agents/administration/agents.ts'
import { lockAgentRecord } from '../../../server/store/agents.ts'
import { lockSession } from '../../../server/store/sessions.ts'
import { changeAgent, makeAgent } from '../../harness/agents.ts'
import { engine } from '../../harness/databases.ts'
import { idOf } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'
import { stopped, talk } from '../../harness/sessions.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

const agents = new ScriptedAgents()
const gate = Promise.withResolvers<void>()
agents.add('Wait', async function* () {
  yield { type: 'thinking', text: 'Waiting.' }
  await gate.promise
  yield { type: 'message', text: 'At last.' }
})
agents.add(
  'Propose',
  proposing(() => 'nowhere', 'x'),
)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({}, undefined, agents)
})
afterAll(async () => {
  gate.resolve()
  await server.stop()
})

const WAYS: readonly (readonly [string, string, (id: string) => Promise<unknown>])[] = [
  [
    'updateAgentStatus',
    'agent_disabled',
    (id) => server.owner.call('updateAgentStatus', { path: { agent_id: id }, body: { status: 'disabled' } }),
  ],
  ['an administrator', 'agent_disabled', (id) => changeAgent(server, id, { pauseReason: 'disabled_by_service' })],
  ['deleteAgent', 'agent_deleted', (id) => server.owner.call('deleteAgent', { path: { agent_id: id } })],
]

it.each(WAYS)('%s terminates running and waiting turns with %s, and does not change ended turns', async (_way, code, stop) => {
  const id = await makeAgent(server)
  const over = await talk(server.owner, { agent_id: id, message: 'Hello' })
  const waiting = await talk(server.owner, { agent_id: id, message: 'Propose a page' })
  expect(waiting['status']).toBe('requires_action')
  const running = await server.owner.call('createSession', { body: { agent_id: id, message: 'Wait' } })
  await stop(id)
  for (const session of [idOf(waiting), idOf(running.body)])
    expect(await stopped(server.owner, session)).toMatchObject({ status: 'terminated', error: { code, retryable: false } })
  expect(await stopped(server.owner, idOf(over))).toMatchObject({ status: 'completed' })
})

/** Whether a transaction waits for a row that another one has locked; in SQLite, writers wait before they begin. */
const somebodyWaits = async (): Promise<true | undefined> => {
  const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return engine === 'sqlite' || (await server.service.database.read((db) => db.all({}, sql))).length > 0 ? true : undefined
}

it('a turn and an administrator lock rows in the same order, so that neither has to restart', async () => {
  const id = await makeAgent(server)
  const session = idOf(await talk(server.owner, { agent_id: id, message: 'Propose a page' }))
  const { database } = server.service
  const workspaceId = exampleWorkspace.workspace.id
  const begun = { turn: 0, administrator: 0 }
  const isHeld = Promise.withResolvers<void>()
  const turn = database.write(async (db) => {
    begun.turn += 1
    await lockSession(db, workspaceId, session)
    isHeld.resolve()
    await until(somebodyWaits)
    await lockAgentRecord(db, workspaceId, id)
  }, workspaceId)
  await isHeld.promise
  const pause = database.write(async (db) => {
    begun.administrator += 1
    const changes = { settings: {}, publish: false, pauseReason: 'disabled_by_service' } as const
    await updateAgent(db, workspaceId, id, changes, server.clock.now())
  })
  await Promise.all([turn, pause])
  expect(begun).toStrictEqual({ turn: 1, administrator: 1 })
  expect(await stopped(server.owner, session)).toMatchObject({ status: 'terminated' })
})
