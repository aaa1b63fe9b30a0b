import { describe, expect, it } from 'vitest'
import { createWorkspaceClient } from '../../client/src/index.ts'
import { withBrandedValues } from '../../scripts/brand/values.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { unbrandedFetch } from '../../cloning/src/unbranded_fetch.ts'
import { changeAgent, makeAgent } from '../harness/agents.ts'
import type { Caller } from '../harness/caller.ts'
import { makeMember } from '../harness/connections.ts'
import { publicContract, validatorOf } from '../harness/contract.ts'
import { makePage, paragraph } from '../harness/content.ts'
import { at, idOf, parseObject, resultsOf, type JsonObject } from '../harness/json.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

/** The harness would check responses against the unbranded contract, so the branded service is called as for pages, without that check. */

const PERSONAL = '33333333-3333-3333-3333-333333333333'
const INES = exampleWorkspace.people[0].id
const acme = await serverOfFile({ HEADER_BRAND: 'Acme' })
const plain = await serverOfFile()

interface Reply {
  readonly status: number
  readonly body: JsonObject
}

async function send(caller: Caller, method: string, target: string, body?: object): Promise<Reply> {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const { status, text } = await caller.page(target, method, headers, body && JSON.stringify(body))
  return { status, body: parseObject(text) }
}

const contract = withBrandedValues(publicContract() as never, 'Acme') as never

/** Whether a value fits a schema of the contract with the values of the brand. */
const fits = (schema: string, value: JsonObject): boolean =>
  validatorOf({ $ref: `#/components/schemas/${schema}` }, contract)(value)

const code = (language: string): object => ({
  type: 'code',
  code: { language, rich_text: [{ type: 'text', text: { content: 'service formula' } }], caption: [] },
})
const person = (table: string): object => ({
  filter: {
    operator: 'and',
    filters: [
      {
        property: 'created_by',
        filter: { operator: 'person_contains', value: { type: 'exact', value: { table, id: INES } } },
      },
    ],
  },
})
const agentType = (equals: string): object => ({ filter: { property: 'agent_type', string: { equals } } })
const agentId = (equals: string): object => ({ filter: { and: [{ property: 'id', id: { equals } }] } })
const session = (agent_id: string): object => ({ agent_id, message: 'When is low water?' })
const sessionsWith = (equals: string): object => ({ filter: { property: 'agent_id', string: { equals } } })

/** Requests with a branded value, by the word that it replaces. */
const requests: readonly (readonly [string, string, string, (value: string) => readonly [string, string, object?]])[] = [
  ['path.agent_id', 'acme_ai', 'service_ai', (value) => ['GET', `/v1/agents/${value}`]],
  ['query.agent_ids', 'acme_ai', 'service_ai', (value) => ['GET', `/v1/agents?agent_ids=${value}`]],
  ['query.agent_type', 'acme_ai', 'service_ai', (value) => ['GET', `/v1/agents?agent_type=custom_agent&agent_type=${value}`]],
  ['the type of queried agents', 'acme_ai', 'service_ai', (value) => ['POST', '/v1/agents/query', agentType(value)]],
  ['the id of queried agents', 'acme_ai', 'service_ai', (value) => ['POST', '/v1/agents/query', agentId(value)]],
  ['the agent of a session', 'acme_ai', 'service_ai', (value) => ['POST', '/v1/sessions', session(value)]],
  ['the agent of queried sessions', 'acme_ai', 'service_ai', (value) => ['POST', '/v1/sessions/query', sessionsWith(value)]],
  ['the table of a person', 'acme_user', 'workspace_user', (value) => ['POST', '/v1/blocks/meeting_notes/query', person(value)]],
]

describe('HEADER_BRAND=Acme', () => {
  it.each(requests)(
    '200 for both forms of %s, and 400 for the branded form on a server without the brand',
    async (_place, branded, own, request) => {
      const [ofAcme, ofPlain] = [await makeMember(acme, INES), await makeMember(plain, INES)]
      expect((await send(ofAcme, ...request(branded))).status).toBe(200)
      expect((await send(ofAcme, ...request(own))).status).toBe(200)
      expect((await send(ofAcme, ...request('tide_ai'))).status).toBe(400)
      expect((await send(ofPlain, ...request(branded))).status).toBe(400)
      expect((await send(ofPlain, ...request(own))).status).toBe(200)
    },
  )

  it('200 with the branded type of the personal agent, as the caller sent it', async () => {
    const caller = await makeMember(acme, INES)
    const one = await send(caller, 'GET', '/v1/agents/acme_ai')
    expect(one.body).toMatchObject({ id: PERSONAL, agent_type: 'acme_ai' })
    const listed = resultsOf((await send(caller, 'GET', '/v1/agents?agent_type=acme_ai')).body)
    const queried = resultsOf((await send(caller, 'POST', '/v1/agents/query', agentType('acme_ai'))).body)
    expect(one.body).toSatisfy((body: JsonObject) => fits('AgentObject', body))
    expect(queried[0]).toSatisfy((item: JsonObject) => fits('AgentQueryItem', item))
    for (const results of [listed, queried]) expect(results).toMatchObject([{ id: PERSONAL, agent_type: 'acme_ai' }])
  })

  it('200 with the branded pause reason and connection to the workspace, while target and name are unchanged', async () => {
    const permissions = [{ target: { type: 'workspace' }, scopes: ['reader'] }] as const
    const connections = [
      { type: 'workspace', name: 'workspace', account: null, permissions },
      { type: 'slack', name: 'workspace', account: { type: 'slack_workspace', team_id: 'T1' }, permissions: [] },
    ] as const
    const options = { name: 'disabled_by_service', settings: { connections } }
    const id = await makeAgent(acme, { name: options.name })
    await changeAgent(acme, id, { settings: options.settings as never, publish: true, pauseReason: 'disabled_by_service' })
    const { body } = await send(acme.owner, 'GET', `/v1/agents/${id}`)
    expect(body).toMatchObject({ name: 'disabled_by_service', pause_reason: 'disabled_by_acme' })
    expect(at(body, 'connections')).toMatchObject([
      { type: 'acme', name: 'workspace', permissions },
      { type: 'slack', name: 'workspace' },
    ])
    expect(body).toSatisfy((agent: JsonObject) => fits('AgentObject', agent))
    const insights = await send(acme.owner, 'GET', `/v1/agents/${id}/insights`)
    expect(insights.body['pause_reason']).toBe('disabled_by_acme')
  })

  it.each([undefined, '2022-06-28'])(
    '200 with the branded code language at any depth, and unchanged texts, as of %s',
    async (version) => {
      const caller = acme.caller(TOKEN, version)
      const page = await makePage(acme.owner, 'service_ai')
      const nested = { type: 'toggle', toggle: { rich_text: [], children: [code('acme formula')] } }
      const body = { children: [code('acme formula'), code('service formula'), paragraph('acme formula'), nested] }
      const appended = await send(caller, 'PATCH', `/v1/blocks/${page}/children`, body)
      expect(appended.status).toBe(200)
      const [first = {}, second = {}, third = {}, toggle = {}] = resultsOf(appended.body)
      for (const block of [first, second]) {
        expect(at(block, 'code', 'language')).toBe('acme formula')
        expect(at(block, 'code', 'rich_text')).toMatchObject([{ plain_text: 'service formula' }])
      }
      expect(at(third, 'paragraph', 'rich_text')).toMatchObject([{ plain_text: 'acme formula' }])
      const [inner = {}] = resultsOf((await send(caller, 'GET', `/v1/blocks/${idOf(toggle)}/children`)).body)
      expect(at(inner, 'code', 'language')).toBe('acme formula')
      const target = `/v1/blocks/${idOf(first)}`
      expect((await send(caller, 'PATCH', target, { code: { language: 'bash' } })).status).toBe(200)
      const updated = await send(caller, 'PATCH', target, { code: { language: 'acme formula' } })
      expect(at(updated.body, 'code', 'language')).toBe('acme formula')
    },
  )

  it.each([undefined, '2022-06-28'])('400 at the location of a fault beside a branded value, as of %s', async (version) => {
    const body = { children: [code('acme formula'), code('Acme Formula')] }
    const page = await makePage(acme.owner)
    const refused = await send(acme.caller(TOKEN, version), 'PATCH', `/v1/blocks/${page}/children`, body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    expect(refused.body['message']).toContain('body.children[1].code.language')
  })

  it("400 for the brand's code language on a server without the brand", async () => {
    const page = await makePage(plain.owner)
    const refused = await send(plain.owner, 'PATCH', `/v1/blocks/${page}/children`, { children: [code('acme formula')] })
    expect(refused.body['message']).toContain('body.children[0].code.language')
    const own = await send(plain.owner, 'PATCH', `/v1/blocks/${page}/children`, { children: [code('service formula')] })
    expect(resultsOf(own.body)).toMatchObject([{ code: { language: 'service formula' } }])
  })

  it('200 with unbranded values for a clone, whose client removes the brand', async () => {
    const page = await makePage(acme.owner)
    await send(acme.owner, 'PATCH', `/v1/blocks/${page}/children`, {
      children: [code('acme formula'), paragraph('acme formula')],
    })
    const options = { baseUrl: acme.url, token: TOKEN, headerBrand: 'Acme', fetch: unbrandedFetch('Acme') }
    const { results } = await createWorkspaceClient(options).blocks.children.list({ block_id: page })
    expect(results).toMatchObject([
      { code: { language: 'service formula' } },
      { paragraph: { rich_text: [{ plain_text: 'acme formula' }] } },
    ])
  })

  it('200 with the type workspace for the parent of a page', async () => {
    const parent = { type: 'workspace', workspace: true }
    const caller = await makeMember(acme, INES)
    const made = await send(caller, 'POST', '/v1/pages', { parent, properties: {}, children: [code('acme formula')] })
    expect(made).toMatchObject({ status: 200, body: { parent } })
  })
})
