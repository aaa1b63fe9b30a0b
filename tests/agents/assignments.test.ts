import { beforeAll, describe, expect, it } from 'vitest'
import type { Capability } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { insertTemplate } from '../../server/store/data_source_templates.ts'
import { changeAgent, makeAgent } from '../harness/agents.ts'
import { onWorkspace, workspaceConnection } from '../harness/agent_host.ts'
import type { Caller } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import { makePage, text } from '../harness/content.ts'
import { makeDatabase, makeRow, readRow, valuesOf } from '../harness/databases_content.ts'
import { at, idOf } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { on, sessionsOf, settled } from '../harness/triggers.ts'

const server = await serverOfFile()
const [, tomas] = exampleWorkspace.people
const parent = await makePage(server.owner, 'Yard')
const jobs = await makeDatabase(server.owner, parent, { Who: { people: {} }, Helper: { people: {} }, Note: { rich_text: {} } })
const options = {
  triggers: [on('workspace.agent.assigned')],
  connections: [workspaceConnection([onWorkspace('reader')])],
}
let agent: string
let other: string
beforeAll(async () => {
  await settled(server)
  agent = await makeAgent(server, options)
  other = await makeAgent(server, options)
})

const people = (...ids: readonly string[]): object => ({ people: ids.map((id) => ({ id })) })
const assign = (page: string, properties: object, caller: Caller = server.owner): ReturnType<Caller['call']> =>
  caller.call('updatePage', { path: { page_id: page }, body: { properties } })
const runs = async (id: string): Promise<number> => (await sessionsOf(server, id)).length

/** Number of sessions that `work` starts for an agent. */
async function started(id: string, work: () => Promise<unknown>): Promise<number> {
  const before = await runs(id)
  await work()
  return (await runs(id)) - before
}

const writing: readonly Capability[] = ['read_content', 'insert_content', 'update_content', 'read_user_without_email']

describe('an agent in a people property', () => {
  it('200 createPage starts a run, and the property names the agent as a bot', async () => {
    let row = ''
    const count = await started(
      agent,
      async () => (row = idOf(await makeRow(server.owner, jobs.sourceId, { Who: people(agent) }))),
    )
    expect(count).toBe(1)
    const [session] = (await sessionsOf(server, agent)).slice(-1)
    expect(session).toMatchObject({ trigger_type: 'workspace.agent.assigned', title: 'You were assigned to a page.' })
    expect(await valuesOf(server.owner, row)).toMatchObject({ Who: [{ id: agent, type: 'bot', bot: { agent_id: agent } }] })
  })

  it('200 updatePage starts one run for each agent that it adds, even if it adds the agent to two properties', async () => {
    const row = idOf(await makeRow(server.owner, jobs.sourceId))
    expect(await started(agent, () => assign(row, { Who: people(agent), Helper: people(agent) }))).toBe(1)
    expect(await started(agent, () => assign(row, { Note: { rich_text: [text('Later')] } }))).toBe(0)
    expect(await started(other, () => assign(row, { Who: people(agent, other, tomas.id) }))).toBe(1)
    expect(
      await started(agent, async () => assign(row, { Who: at(await readRow(server.owner, row), 'properties', 'Who') })),
    ).toBe(0)
    await assign(row, { Who: people(), Helper: people() })
    expect(await started(agent, () => assign(row, { Who: people(agent) }))).toBe(1)
  })

  it('200 updatePage of several rows at once starts a run for each row', async () => {
    const rows = await Promise.all([1, 2, 3].map(async () => idOf(await makeRow(server.owner, jobs.sourceId))))
    expect(await started(agent, () => Promise.all(rows.map((row) => assign(row, { Who: people(agent) }))))).toBe(3)
  })

  it('200 createPage with a template that assigns an agent starts a run for the new row, but not for the template', async () => {
    const template = idOf(await makeRow(server.owner, jobs.sourceId, { Who: people(tomas.id) }))
    await server.service.database.write((db) =>
      insertTemplate(db, exampleWorkspace.workspace.id, jobs.sourceId, {
        id: template,
        isDefault: true,
        createdTime: server.clock.now(),
      }),
    )
    expect(await started(agent, () => assign(template, { Who: people(agent) }))).toBe(0)
    const row = await makeRow(server.owner, jobs.sourceId, {}, { template: { type: 'default' } })
    await expect.poll(async () => (await valuesOf(server.owner, idOf(row)))['Who']).toMatchObject([{ id: agent }])
    await settled(server)
    expect((await sessionsOf(server, agent)).slice(-1)).toMatchObject([{ trigger_type: 'workspace.agent.assigned' }])
  })

  it('200 updatePage by a connection without the needed capability stores the agent but starts no run', async () => {
    const row = idOf(await makeRow(server.owner, jobs.sourceId))
    const { caller: without } = await makeConnection(server, { capabilities: writing, grants: [parent] })
    expect(await started(agent, () => assign(row, { Who: people(agent) }, without))).toBe(0)
    expect(await valuesOf(server.owner, row)).toMatchObject({ Who: [{ id: agent }] })
    const { caller } = await makeConnection(server, { capabilities: [...writing, 'interact_with_agents'], grants: [parent] })
    expect(await started(other, () => assign(row, { Who: people(agent, other) }, caller))).toBe(1)
  })

  it('200 updatePage starts no run of an agent that cannot see the row, is disabled or deleted, or has another trigger', async () => {
    const blind = await makeAgent(server, { ...options, connections: [] })
    const patient = await makeAgent(server, { ...options, triggers: [on('workspace.agent.mentioned')] })
    const disabled = await makeAgent(server, options)
    const deleted = await makeAgent(server, options)
    await server.owner.call('updateAgentStatus', { path: { agent_id: disabled }, body: { status: 'disabled' } })
    await server.owner.call('deleteAgent', { path: { agent_id: deleted } })
    const row = idOf(await makeRow(server.owner, jobs.sourceId))
    const response = await assign(row, { Who: people(blind, patient, disabled, deleted) })
    expect(response.status).toBe(200)
    for (const id of [blind, patient, disabled]) expect(await runs(id)).toBe(0)
    expect(await valuesOf(server.owner, row)).toMatchObject({
      Who: [blind, patient, disabled, deleted].map((id) => ({ id, bot: { agent_id: id } })),
    })
    await changeAgent(server, blind, { settings: { connections: options.connections } })
    expect(await runs(blind)).toBe(0)
  })

  it('200 updatePage starts no run when it assigns an agent and moves the row to the trash, or restores the row', async () => {
    const row = idOf(await makeRow(server.owner, jobs.sourceId))
    const update = (body: object): ReturnType<Caller['call']> => server.owner.call('updatePage', { path: { page_id: row }, body })
    expect(await started(agent, () => update({ properties: { Who: people(agent) }, in_trash: true }))).toBe(0)
    expect(await valuesOf(server.owner, row)).toMatchObject({ Who: [{ id: agent }] })
    expect(await started(agent, () => update({ in_trash: false }))).toBe(0)
  })
})
