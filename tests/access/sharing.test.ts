import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operations, type Capability, type CapabilityRule } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { append, appendOne, children, makePage, paragraph } from '../harness/content.ts'
import { makeConnection } from '../harness/connections.ts'
import { ghostPath, servedWith, versionOf } from '../harness/every_operation.ts'
import { expectError, expectNotFound } from '../harness/expectations.ts'
import { at, idOf } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'

/** The rights of a token, and the objects that it can see. */

const server = await serverOfFile()

const ALL: readonly Capability[] = [
  'read_content',
  'insert_content',
  'update_content',
  'read_comments',
  'insert_comments',
  'interact_with_agents',
  'read_user_without_email',
  'read_user_with_email',
]
describe('capabilities', () => {
  it.each(servedWith('bearer', 'connection').map((operation) => [operation.id, operation] as const))(
    '403 for %s without its required capability, and only then',
    async (id, operation) => {
      const rule = operation.capability
      const parts = {
        path: ghostPath(operation),
        headers: { 'Service-Version': versionOf(operation) },
        ...(operation.requestTypes.length > 0 ? { body: {} } : {}),
      }
      for (const missing of ALL) {
        const { caller } = await makeConnection(server, {
          capabilities: ALL.filter((capability) => capability !== missing),
          grants: [exampleWorkspace.workspace.id],
        })
        const response = await caller.call(id, parts)
        const needed =
          rule !== 'none' && ('all' in rule ? rule.all.some((one) => one === missing) : rule.any.every((one) => one === missing))
        expect(response.status === 403, `${id} without ${missing}`).toBe(needed)
      }
      const { caller } = await makeConnection(server, { capabilities: [], grants: [exampleWorkspace.workspace.id] })
      const response = await caller.call(id, parts)
      if (rule === 'none') return expect(response.status).not.toBe(403)
      expectError(response, 403, 'restricted_resource')
      const required = at(response.body, 'additional_data', 'required_capability')
      expect([required].flat()).toEqual('all' in rule ? rule.all.slice(0, 1) : rule.any)
    },
  )

  it('operations on agents, sessions, tasks, notes and subscriptions require only the listed capabilities', () => {
    const needs: Readonly<Partial<Record<OperationId, readonly Capability[]>>> = {
      listAgents: ['read_content'],
      queryAgents: ['read_content'],
      retrieveAgent: ['read_content'],
      retrieveAgentInsights: ['read_content'],
      createAgentBatch: ['update_content'],
      updateAgentStatus: ['update_content'],
      updateAgentCreditLimit: ['update_content'],
      deleteAgent: ['update_content'],
      createSession: ['insert_content'],
      cancelSession: ['insert_content'],
      querySessions: ['read_content'],
      retrieveSession: ['read_content'],
      querySessionEvents: ['read_content'],
      retrieveAsyncTask: [],
      createMeetingNotes: ['insert_content', 'read_content'],
      queryMeetingNotes: ['read_content'],
      createWebhookSubscription: [],
      listWebhookSubscriptions: [],
      retrieveWebhookSubscription: [],
      updateWebhookSubscription: [],
      deleteWebhookSubscription: [],
      verifyWebhookSubscription: [],
      sendWebhookVerification: [],
    }
    const ofContract = Object.keys(needs).map((id) => {
      const rule: CapabilityRule = operations[id as OperationId].capability
      return [id, rule === 'none' ? [] : 'all' in rule ? rule.all : rule]
    })
    expect(Object.fromEntries(ofContract)).toStrictEqual(needs)
  })
})

describe('connections', () => {
  it('have access to a shared item and everything below it, but not to its siblings or parents', async () => {
    const top = await makePage(server.owner, 'Top')
    const shared = await makePage(server.owner, 'Shared', top)
    const beside = await makePage(server.owner, 'Beside', top)
    const inner = await makePage(server.owner, 'Inner', shared, [{ toggle: { rich_text: [], children: [paragraph('deep')] } }])
    const [toggle] = await children(server.owner, inner)
    const [deep] = await children(server.owner, idOf(toggle))
    const { caller } = await makeConnection(server, { capabilities: ALL, grants: [shared] })
    for (const id of [shared, inner, idOf(toggle), idOf(deep)])
      expect((await caller.call('retrieveBlock', { path: { block_id: id } })).status).toBe(200)
    for (const id of [top, beside, exampleWorkspace.pages.handbook])
      expectNotFound(await caller.call('retrieveBlock', { path: { block_id: id } }), id)
  })

  it('have access to a shared database, but not to another page', async () => {
    const { caller } = await makeConnection(server, { capabilities: ALL, grants: [exampleWorkspace.repairLog] })
    expect((await caller.call('retrieveBlock', { path: { block_id: exampleWorkspace.repairLog } })).status).toBe(200)
    expectNotFound(
      await caller.call('retrieveBlock', { path: { block_id: exampleWorkspace.pages.handbook } }),
      exampleWorkspace.pages.handbook,
    )
  })

  it('have access to a new child immediately', async () => {
    const shared = await makePage(server.owner, 'Shared')
    const { caller } = await makeConnection(server, { capabilities: ALL, grants: [shared] })
    const id = await appendOne(server.owner, shared, paragraph('new'))
    expect((await caller.call('retrieveBlock', { path: { block_id: id } })).status).toBe(200)
    const [own] = await append(caller, id, [paragraph('mine')])
    expect((await caller.call('deleteBlock', { path: { block_id: idOf(own) } })).status).toBe(200)
  })

  it('have access to fifty levels of children', async () => {
    const shared = await makePage(server.owner, 'Shared')
    let id = shared
    for (let depth = 0; depth < 50; depth += 1) id = await appendOne(server.owner, id, { toggle: { rich_text: [] } })
    const { caller } = await makeConnection(server, { capabilities: ALL, grants: [shared] })
    expect(
      (await caller.call('appendBlockChildren', { path: { block_id: id }, body: { children: [paragraph('bottom')] } })).status,
    ).toBe(200)
    await server.owner.call('deleteBlock', { path: { block_id: shared } })
    expectError(
      await caller.call('appendBlockChildren', { path: { block_id: id }, body: { children: [] } }),
      400,
      'validation_error',
      'trash',
    )
  })

  it('without a grant get the same response for every id as for a missing one, from operations on blocks and pages', async () => {
    const { caller } = await makeConnection(server, { capabilities: ALL })
    const bodies: Partial<Record<OperationId, object>> = {
      updateBlock: { in_trash: true },
      appendBlockChildren: { children: [paragraph('x')] },
      updatePage: { is_locked: true },
      movePage: { parent: { page_id: randomUUID() } },
    }
    for (const id of [
      'retrieveBlock',
      'updateBlock',
      'deleteBlock',
      'listBlockChildren',
      'appendBlockChildren',
      'retrievePage',
      'updatePage',
      'movePage',
      'retrievePageProperty',
    ] as const) {
      const statusOf = async (target: string): Promise<string> => {
        const response = await caller.call(id, {
          path: { block_id: target, page_id: target, property_id: 'title' },
          body: bodies[id],
        })
        expectNotFound(response, target)
        return response.text.replaceAll(target, '<id>').replaceAll(String(response.body['request_id']), '<request>')
      }
      const ghost = await statusOf(randomUUID())
      for (const hidden of [exampleWorkspace.pages.checklist, exampleWorkspace.repairLog, 'e3f6673c-bf50-49a6-a61b-850051799876'])
        expect(await statusOf(hidden), id).toBe(ghost)
    }
  })
})
