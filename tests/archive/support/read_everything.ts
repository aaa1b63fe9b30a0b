import { sql } from '../../../server/store/sql.ts'
import type { Caller } from '../../harness/caller.ts'
import type { TestServer } from '../../harness/server.ts'

const AS_JSON = { 'Content-Type': 'application/json' }

interface Request {
  readonly target: string
  readonly body?: object
}

/**
 * The responses to reads of the whole workspace, by path. None is a server error.
 * @param isSound whether the responses must fit the contract
 */
export async function readEverything(
  server: TestServer,
  caller: Caller,
  workspaceId: string,
  isSound = true,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { target, body } of await requestsFor(server, workspaceId)) {
    const [method, headers, text] = body === undefined ? ['GET', {}] : ['POST', AS_JSON, JSON.stringify(body)]
    const response = isSound
      ? await caller.send(method, target, { headers, ...(text === undefined ? {} : { body: text }) })
      : await caller.page(target, method, headers, text)
    if (response.status >= 500) throw new Error(`${target}: ${response.text}`)
    found.set(`${target} ${JSON.stringify(body ?? '')}`, response.text)
  }
  return found
}

async function requestsFor(server: TestServer, workspaceId: string): Promise<Request[]> {
  const { database } = server.service
  const rows = await database.read((db) =>
    db.all(
      { id: 'text', type: 'text', is_parent: 'integer' },
      sql`select b.id, b.type, max(case when c.id is null then 0 else 1 end) as is_parent from blocks b
        left join blocks c on c.workspace_id = b.workspace_id and c.parent_id = b.id
        where b.workspace_id = ${workspaceId} group by b.id, b.type`,
    ),
  )
  const idsOf = async (table: string): Promise<string[]> =>
    (await database.read((db) => db.all({ id: 'text' }, `select id from ${table} where workspace_id = ?`, workspaceId))).map(
      ({ id }) => id,
    )
  const ofType = (type: string): string[] => rows.filter((row) => row.type === type).map(({ id }) => id)
  const [sources, views, sessions] = [ofType('data_source'), await idsOf('views'), await idsOf('sessions')]
  return [
    ...rows
      .filter(({ type, is_parent: isParent }) => type !== 'data_source' && (isParent === 1 || type === 'synced_block'))
      .map(({ id }) => `/v1/blocks/${id}/children`),
    ...ofType('child_page').flatMap((id) => [`/v1/pages/${id}`, `/v1/pages/${id}/markdown`, `/v1/comments?block_id=${id}`]),
    ...ofType('child_database').flatMap((id) => [`/v1/databases/${id}`, `/v1/views?database_id=${id}`]),
    ...sources.flatMap((id) => [`/v1/data_sources/${id}`, `/v1/data_sources/${id}/templates`, `/v1/views?data_source_id=${id}`]),
    ...views.map((id) => `/v1/views/${id}`),
    ...(await idsOf('comments')).map((id) => `/v1/comments/${id}`),
    ...(await idsOf('users')).map((id) => `/v1/users/${id}`),
    ...(await idsOf('agents')).map((id) => `/v1/agents/${id}`),
    ...(await idsOf('file_uploads')).map((id) => `/v1/file_uploads/${id}`),
    ...(await idsOf('async_tasks')).map((id) => `/v1/async_tasks/${id}`),
    ...sessions.map((id) => `/v1/sessions/${id}`),
    ...['/v1/users', '/v1/users/me', '/v1/custom_emojis', '/v1/databases', '/v1/agents', '/v1/file_uploads'],
  ]
    .map((target): Request => ({ target }))
    .concat(
      sources.map((id) => ({ target: `/v1/data_sources/${id}/query`, body: {} })),
      views.map((id) => ({ target: `/v1/views/${id}/queries`, body: {} })),
      sessions.map((id) => ({ target: `/v1/sessions/${id}/events/query`, body: {} })),
      ['/v1/search', '/v1/blocks/meeting_notes/query', '/v1/agents/query', '/v1/sessions/query'].map((target) => ({
        target,
        body: {},
      })),
    )
}
