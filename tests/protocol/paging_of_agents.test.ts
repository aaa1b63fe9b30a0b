import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { insertEvents, listEventsAfter } from '../../server/store/session_events.ts'
import { findSession, insertSession } from '../../server/store/sessions.ts'
import { makeAgent } from '../harness/agents.ts'
import { expectInvalid } from '../harness/expectations.ts'
import { idOf } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'
import { ScriptedAgents, talk } from '../harness/sessions.ts'
import { requestPage, cursorOf, itemsOf, OPAQUE, readAll, type PagedList } from './support/paged_list.ts'

/** The lists of agents, sessions and events, each with more items than one page holds. */

const ITEMS = 105
const server = await startTestServer({ BOOTSTRAP_SAMPLE: 'empty' }, undefined, new ScriptedAgents())
afterAll(() => server.stop())
const workspaceId = exampleWorkspace.workspace.id
const agents: string[] = []
for (let index = 0; index < ITEMS; index += 1) agents.push(await makeAgent(server, { name: `Agent ${index % 7}` }))
const session = await plantSessions()

/** Copies a session and the events of the first one until there are enough. */
async function plantSessions(): Promise<string> {
  const id = String((await talk(server.owner, { agent_id: agents[0] ?? '', message: 'Ahoy' }))['id'])
  await server.service.database.write(async (db) => {
    const row = await findSession(db, workspaceId, id)
    const [event] = await listEventsAfter(db, workspaceId, id, 0, 1)
    if (!row || !event) throw new Error('the session has no events')
    for (let index = 1; index < ITEMS; index += 1) await insertSession(db, workspaceId, { ...row, id: randomUUID() })
    const added = Array.from({ length: ITEMS }, (_, index) => ({ ...event, id: randomUUID(), sequence: 1_000 + index }))
    await insertEvents(db, workspaceId, added)
  })
  return id
}

const lists: readonly PagedList[] = [
  { id: 'listAgents', parts: () => ({}), other: undefined, cursor: OPAQUE },
  { id: 'queryAgents', in: 'body', parts: () => ({ body: {} }), other: undefined, cursor: OPAQUE },
  { id: 'querySessions', in: 'body', parts: () => ({ body: {} }), other: undefined, cursor: OPAQUE },
  {
    id: 'querySessionEvents',
    in: 'body',
    parts: () => ({ path: { session_id: session }, body: {} }),
    other: undefined,
    cursor: OPAQUE,
  },
]

describe.each(lists)('$id', (list) => {
  it('200 with 100 items by default, and the rest after the cursor', async () => {
    const first = await requestPage(server.owner, list, {})
    expect(itemsOf(list, first)).toHaveLength(100)
    expect(first.body['has_more']).toBe(true)
    const rest = await requestPage(server.owner, list, { start_cursor: cursorOf(first) })
    expect(rest.body).toMatchObject({ has_more: false, next_cursor: null })
    const ids = [...itemsOf(list, first), ...itemsOf(list, rest)].map(idOf)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(ITEMS)
  })

  it('200 with the same items in the same order for every page_size', async () => {
    const all = await readAll(server.owner, list, () => 100)
    for (const size of [7, 99]) expect(await readAll(server.owner, list, () => size)).toStrictEqual(all)
  })

  it.each(['0', '101', '2.5'])('400 for page_size %s', async (size) => {
    const response = await requestPage(server.owner, list, { page_size: list.in === 'body' ? Number(size) : size })
    expectInvalid(response, `${list.in ?? 'query'}.page_size`)
  })
})
