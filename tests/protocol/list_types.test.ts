import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { operations, type Operation } from '../../generated/operations.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { releaseDates } from '../../server/versions/index.ts'
import type { CallParts } from '../harness/caller.ts'
import { commentOn } from '../harness/comments.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import { idOf } from '../harness/json.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { makeView } from '../harness/views.ts'

/** The type that a list declares, and the member of that name beside it. */

const server = await serverOfFile()
const page = await makePage(server.owner)
const made = await makeDatabase(server.owner, page)
await commentOn(server.owner, page)
const view = idOf(await makeView(server.owner, made))
const query = idOf((await server.owner.call('createViewQuery', { path: { view_id: view }, body: {} })).body)
const message = { agent_id: exampleWorkspace.agents.partsScout, message: 'Which bolts?' }
const session = idOf((await server.owner.call('createSession', { body: message })).body)

const OLD = { 'Service-Version': '2021-08-16' }
const PATHS = (): Record<string, string> => ({
  block_id: page,
  page_id: page,
  database_id: made.id,
  data_source_id: made.sourceId,
  view_id: view,
  query_id: query,
  property_id: 'title',
  session_id: session,
})

const lists: [OperationId, string | undefined, (() => CallParts)?][] = [
  ['listBlockChildren', 'block'],
  ['appendBlockChildren', 'block', () => ({ body: { children: [{ divider: {} }] } })],
  ['listComments', 'comment', () => ({ query: { block_id: page } })],
  ['listUsers', 'user'],
  ['listFileUploads', 'file_upload'],
  ['listDatabaseViews', 'view', () => ({ query: { database_id: made.id } })],
  ['listViewQueryResults', 'page'],
  ['search', 'page_or_data_source', () => ({ body: {} })],
  ['queryDataSource', 'page_or_data_source', () => ({ body: {} })],
  ['queryDatabase', 'page_or_database', () => ({ body: {} })],
  ['retrievePageProperty', 'property_item'],
  ['listCustomEmojis', 'custom_emoji'],
  ['queryMeetingNotes', 'block', () => ({ body: {} })],
  ['listAgents', 'agent'],
  ['queryAgents', 'agent', () => ({ body: {} })],
  ['querySessions', 'session', () => ({ body: {} })],
  ['querySessionEvents', 'session_event', () => ({ body: {} })],
  ['listDataSourceTemplates', 'template'],
  ['listWebhookSubscriptions', 'webhook_subscription'],
  ['listDatabases', undefined, () => ({ headers: OLD })],
]

it.each(lists)('%s returns a list with the type %s', async (id, type, parts = () => ({})) => {
  const response = await server.owner.call(id, { path: PATHS(), ...parts() })
  expect([id, response.status]).toEqual([id, 200])
  const { body } = response
  expect([body['type'], 'has_more' in body, 'next_cursor' in body]).toEqual([type, true, true])
  expect((body['next_cursor'] === null) === (body['has_more'] === false)).toBe(true)
  if (type !== undefined) expect([body['object'], type in body]).toEqual(['list', true])
  if (type !== undefined && type !== 'property_item') expect(body[type]).toEqual({})
  expect(body['request_status']).toBeUndefined()
  expect(body['request_id']).toBe(response.headers['x-service-request-id'])
})

it('these tests cover every list of the contract', () => {
  const paged = Object.values<Operation>(operations).filter(({ pagination }) => pagination && pagination.shape !== 'view_query')
  const listed: readonly string[] = lists.map(([id]) => id)
  // If you are here because an operation is listed: give it a row above, with the type that its list declares.
  expect(paged.map(({ id }) => id).filter((id) => !listed.includes(id))).toEqual([])
})

it('queryDatabase returns the type page_or_database in every version with types', async () => {
  for (const version of releaseDates.filter((date) => date >= '2022-02-22')) {
    const response = await server.caller(TOKEN, version).call('queryDatabase', { path: { database_id: made.id }, body: {} })
    expect([version, response.body['type']]).toEqual([version, 'page_or_database'])
  }
  const found = await server.caller(TOKEN, '2022-06-28').call('search', { body: { query: exampleWorkspace.workspace.name } })
  expect(found.body['type']).toBe('page_or_database')
})
