import { expect, it } from 'vitest'
import { deleteAgentAsAdministrator, updateAgent } from '../../server/domain/agents/administration/agents.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { changeAgent, makeAgent, setTerms } from '../harness/agents.ts'
import { at, idOf } from '../harness/json.ts'
import { proposing, ScriptedAgents, talk } from '../harness/sessions.ts'
import { serverOfFile, TestClock } from '../harness/server.ts'
import { settled } from '../harness/triggers.ts'
import { copySession } from '../harness/waiting_sessions.ts'

const scripts = new ScriptedAgents()
scripts.add(
  'Propose',
  proposing(() => 'nowhere', 'Aye'),
)
const server = await serverOfFile({}, new TestClock(), scripts)
const { database } = server.service

/** So many turns that ending them takes more than two transactions. */
const WAITING = 230

/** An agent with sessions that wait for a decision. */
async function busyAgent(): Promise<string> {
  const agent = await makeAgent(server, { creditLimit: 10 })
  const session = idOf(await talk(server.owner, { agent_id: agent, message: 'Propose' }))
  await copySession(database, session, WAITING - 1)
  return agent
}

/** The outcomes of an agent's sessions, and how often each was recorded. */
async function endings(agent: string): Promise<Record<string, number>> {
  const rows = await database.read((db) =>
    db.all(
      { error: 'text?', status: 'text', times: 'integer' },
      `select s.error, s.status, (select count(*) from session_events e where e.workspace_id = s.workspace_id and e.session_id = s.id
        and e.status = 'terminated') as times from sessions s where s.agent_id = ?`,
      agent,
    ),
  )
  const texts = rows.map(({ error, status, times }) => {
    const code = error === null ? status : String(at(JSON.parse(error) as { code: string }, 'code'))
    return `${code} × ${times}`
  })
  return Object.fromEntries([...Map.groupBy(texts, (text) => text)].map(([text, all]) => [text, all.length]))
}

/** Causes that end the turns of an agent, with the error of each. */
const ENDS: readonly (readonly [string, string, (agent: string) => Promise<unknown>])[] = [
  [
    'updateAgentStatus',
    'agent_disabled',
    (agent) => server.owner.call('updateAgentStatus', { path: { agent_id: agent }, body: { status: 'disabled' } }),
  ],
  ['deleteAgent', 'agent_deleted', (agent) => server.owner.call('deleteAgent', { path: { agent_id: agent } })],
  [
    'updateAgentCreditLimit',
    'agent_disabled',
    (agent) => server.owner.call('updateAgentCreditLimit', { path: { agent_id: agent }, body: { credit_limit: 0 } }),
  ],
  [
    'an administrator who pauses the agent',
    'agent_disabled',
    (agent) => changeAgent(server, agent, { pauseReason: 'tool_unavailable' }),
  ],
  [
    'an administrator who deletes the agent',
    'agent_deleted',
    (agent) => database.write((db) => deleteAgentAsAdministrator(db, exampleWorkspace.workspace.id, agent, server.clock.now())),
  ],
]

it.each(ENDS)('%s ends each of hundreds of waiting turns of an agent once, with %s', async (_by, code, end) => {
  const agent = await busyAgent()
  await end(agent)
  await settled(server)
  expect(await endings(agent)).toStrictEqual({ [`${code} × 1`]: WAITING })
})

it("lowering the limit of a workspace ends each waiting turn of the workspace's agents once", async () => {
  const agents = [await busyAgent(), await busyAgent()]
  await setTerms(server, { defaultAgentLimit: 0 })
  await settled(server)
  await setTerms(server, { defaultAgentLimit: null })
  for (const agent of agents) expect(await endings(agent)).toStrictEqual({ 'agent_disabled × 1': WAITING })
})

it('when an agent is disabled and enabled again, its turns that were not yet ended keep waiting', async () => {
  const agent = await busyAgent()
  const { workspace } = exampleWorkspace
  await database.write(async (db) => {
    for (const pauseReason of ['disabled_from_api', null] as const)
      await updateAgent(db, workspace.id, agent, { settings: {}, publish: false, pauseReason }, server.clock.now())
  })
  await settled(server)
  expect(await endings(agent)).toStrictEqual({ 'agent_disabled × 1': 100, 'requires_action × 0': WAITING - 100 })
})
