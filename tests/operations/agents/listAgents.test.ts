import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { changeAgent, DEMO, makeAgent, type Shares } from '../../harness/agents.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeMember } from '../../harness/connections.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { at, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const PERSONAL = '33333333-3333-3333-3333-333333333333'
const [INES, TOMAS] = exampleWorkspace.people.map(({ id }) => id) as [string, string]
const SHARES: Shares = [
  [DEMO, 'full'],
  [{ personId: INES }, 'view'],
]

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })
const ines = await makeMember(server, INES)
const make = async (name: string, options: object, shares = SHARES): Promise<string> => {
  server.clock.advance(1_000)
  return makeAgent(server, { name, ...options }, shares)
}
const ids = {
  scout: await make('Sail Scout', {
    createdBy: INES,
    instructions: 'Look up.',
    connections: [
      { type: 'workspace', name: 'Yard', account: null, permissions: [] },
      { type: 'slack', name: 'Chat', account: null, permissions: [] },
    ],
  }),
  filler: await make('ÅNGSTRÖM filler', { type: 'autofill_custom_agent', createdBy: TOMAS }),
  link: await make('Link', { type: 'external' }),
  gone: await make('Gone scout', {}),
  hidden: await make('Hidden scout', {}, []),
}
await changeAgent(server, ids.filler, { pauseReason: 'needs_user_review' })
await server.owner.call('deleteAgent', { path: { agent_id: ids.gone } })

type Query = Record<string, string | number | readonly string[]>
const list = (query: Query = {}, caller = server.owner): Promise<TestResponse> => caller.call('listAgents', { query })
const found = async (query: Query, caller = server.owner): Promise<unknown[]> =>
  resultsOf((await list(query, caller)).body).map(({ id }) => id)

describe('listAgents', () => {
  it('200 with agents of every type, including disabled ones, without deleted and hidden ones', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', type: 'agent', agent: {}, has_more: false, next_cursor: null })
    expect(resultsOf(body).map(({ id, agent_type, status: state }) => [id, agent_type, state])).toEqual([
      [ids.scout, 'custom_agent', 'active'],
      [ids.filler, 'autofill_custom_agent', 'disabled'],
      [ids.link, 'external', 'active'],
    ])
  })

  it('200 without the workspace connection, triggers and limits, and with instructions only when verbose is set', async () => {
    const [scout] = resultsOf((await list()).body)
    expect(at(scout, 'connections')).toMatchObject([{ type: 'slack' }])
    for (const name of ['pause_reason', 'has_unpublished_changes', 'credit_limit', 'triggers', 'instructions'])
      expect(scout).not.toHaveProperty(name)
    expect(scout).toMatchObject({
      created_by: { object: 'user', type: 'user', id: INES },
      last_run_time: null,
      last_run_at: null,
    })
    expect(resultsOf((await list({ verbose: 'true' })).body).map(({ instructions }) => instructions)).toEqual([
      'Look up.',
      null,
      null,
    ])
  })

  it('200 with the personal agent first, for tokens that act for a person', async () => {
    const results = resultsOf((await list({}, ines)).body)
    expect(results.map(({ id }) => id)).toEqual([PERSONAL, ids.scout, ids.filler, ids.link])
    expect(results[0]).toMatchObject({ created_time: null, last_edited_time: null, last_run_at: null, created_by: null })
    expect(results[1]).toMatchObject({ last_run_at: 'hidden', connections: [{ account: 'hidden' }] })
  })

  it.each<[string, () => Query, () => string[]]>([
    ['name, in upper or lower case', () => ({ name: 'SCOUT' }), () => [ids.scout]],
    ['name with letters beyond ASCII', () => ({ name: 'ångström' }), () => [ids.filler]],
    ['name with pattern characters', () => ({ name: '%' }), () => []],
    ['types', () => ({ agent_type: ['external', 'autofill_custom_agent'] }), () => [ids.filler, ids.link]],
    ['ids, in any spelling', () => ({ agent_ids: [ids.link.toUpperCase(), randomUUID()] }), () => [ids.link]],
    ['ids that are hidden or deleted', () => ({ agent_ids: [ids.hidden, ids.gone] }), () => []],
    ['people who created them', () => ({ created_by: [TOMAS, INES] }), () => [ids.scout, ids.filler]],
    ['the user of a token without a user', () => ({ created_by: ['me'] }), () => []],
    ['the alias of the personal agent, for a token without a user', () => ({ agent_ids: ['service_ai'] }), () => []],
    ['all filters at once', () => ({ name: 'link', agent_type: ['external'], created_by: [INES] }), () => []],
  ])('200 filtered by %s', async (_name, query, expected) => {
    expect(await found(query())).toEqual(expected())
  })

  it.each<[string, Query, () => string[]]>([
    ['me', { created_by: ['me'] }, () => [ids.scout]],
    ['service_ai by id', { agent_ids: ['service_ai'] }, () => [PERSONAL]],
    ['service_ai by type', { agent_type: ['service_ai'] }, () => [PERSONAL]],
    ['a part of the name of the personal agent', { name: 'vice ag' }, () => [PERSONAL]],
  ])('200 for a person, filtered by %s', async (_name, query, expected) => {
    expect(await found(query, ines)).toEqual(expected())
  })

  it('200 page by page, with cursors bound to parameters and caller', async () => {
    const pages: unknown[] = []
    let query: Query = { page_size: 1 }
    let cursor = ''
    for (let more = true; more;) {
      const { body } = await list(query, ines)
      pages.push(at(body, 'results', 0, 'id'))
      more = body['has_more'] === true
      if (more) query = { page_size: 1, start_cursor: (cursor = textAt(body, 'next_cursor')) }
    }
    expect(pages).toEqual([PERSONAL, ids.scout, ids.filler, ids.link])
    expectInvalid(await list({ start_cursor: cursor, name: 'l' }, ines), 'query.start_cursor')
    expectInvalid(await list({ start_cursor: cursor }), 'query.start_cursor')
    expectInvalid(await list({ start_cursor: 'x' }), 'query.start_cursor')
  })

  it.each<[Query, string]>([
    [{ page_size: 0 }, 'query.page_size'],
    [{ page_size: 101 }, 'query.page_size'],
    [{ agent_type: ['robot'] }, 'query.agent_type[0]'],
    [{ agent_ids: ['robot'] }, 'query.agent_ids[0]'],
    [{ created_by: ['you'] }, 'query.created_by[0]'],
    [{ verbose: 'perhaps' }, 'query.verbose'],
  ])('400 for %j', async (query, location) => {
    expectInvalid(await list(query), location)
  })
})
