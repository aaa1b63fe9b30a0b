import { canonicalId, undashed } from '../kernel/ids.ts'
import type { Connection, Transaction } from './database.ts'
import { rowOf } from './row_shape.ts'
import { sql } from './sql.ts'

export interface ViewQuery {
  readonly id: string
  readonly viewId: string
  /** The connection or member that created the query. */
  readonly ownerId: string
  /** The number of row ids that the query stores. */
  readonly totalCount: number
  /** Whether there were more rows than the query stores. */
  readonly isIncomplete: boolean
  readonly createdTime: number
  readonly expiresTime: number
}

const viewQueryRow = rowOf({
  id: 'text',
  view_id: 'text',
  owner_id: 'text',
  total_count: 'integer',
  is_incomplete: 'integer',
  created_time: 'integer',
  expires_time: 'integer',
})

const IDS_PER_PIECE = 100
const ID_LENGTH = 32

export async function findViewQuery(db: Connection, workspaceId: string, id: string): Promise<ViewQuery | undefined> {
  const row = await db.get(
    viewQueryRow,
    sql`select id, view_id, owner_id, total_count, is_incomplete, created_time, expires_time from view_queries
     where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return (
    row && {
      id: row.id,
      viewId: row.view_id,
      ownerId: row.owner_id,
      totalCount: row.total_count,
      isIncomplete: Boolean(row.is_incomplete),
      createdTime: row.created_time,
      expiresTime: row.expires_time,
    }
  )
}

export async function insertViewQuery(
  db: Transaction,
  workspaceId: string,
  query: ViewQuery,
  ids: readonly string[],
): Promise<void> {
  await db.run(
    sql`insert into view_queries (workspace_id, id, view_id, owner_id, total_count, is_incomplete, created_time, expires_time)
      values (${workspaceId}, ${query.id}, ${query.viewId}, ${query.ownerId}, ${query.totalCount}, ${Number(query.isIncomplete)},
      ${query.createdTime}, ${query.expiresTime})`,
  )
  const pieces = Array.from({ length: Math.ceil(ids.length / IDS_PER_PIECE) }, (_, number) => [
    workspaceId,
    query.id,
    number,
    ids
      .slice(number * IDS_PER_PIECE, (number + 1) * IDS_PER_PIECE)
      .map(undashed)
      .join(''),
  ])
  if (pieces.length === 0) return
  await db.insert({ table: 'view_query_pieces', columns: ['workspace_id', 'query_id', 'number', 'ids'], rows: pieces })
}

/** The row ids of a query from a position on; at most `limit`. */
export async function listViewQueryIds(
  db: Connection,
  workspaceId: string,
  queryId: string,
  start: number,
  limit: number,
): Promise<string[]> {
  const first = Math.floor(start / IDS_PER_PIECE)
  const rows = await db.all(
    { ids: 'text' },
    sql`select ids from view_query_pieces where workspace_id = ${workspaceId} and query_id = ${queryId} and number >= ${first}
      and number <= ${Math.floor((start + limit - 1) / IDS_PER_PIECE)} order by number`,
  )
  const text = rows.map(({ ids }) => ids).join('')
  const skipped = start - first * IDS_PER_PIECE
  const found: string[] = []
  for (let index = skipped; index < skipped + limit; index += 1) {
    const id = text.slice(index * ID_LENGTH, (index + 1) * ID_LENGTH)
    if (id === '') break
    found.push(canonicalId(id))
  }
  return found
}

/** The newest queries of one owner. */
export async function listOwnQueries(
  db: Connection,
  workspaceId: string,
  ownerId: string,
  limit: number,
): Promise<{ readonly id: string; readonly totalCount: number }[]> {
  const rows = await db.all(
    { id: 'text', total_count: 'integer' },
    sql`select id, total_count from view_queries where workspace_id = ${workspaceId} and owner_id = ${ownerId}
      order by created_time desc, id desc limit ${limit}`,
  )
  return rows.map((row) => ({ id: row.id, totalCount: row.total_count }))
}

export async function deleteViewQueryRows(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run(sql`delete from view_query_pieces where workspace_id = ${workspaceId} and query_id = ${id}`)
  await db.run(sql`delete from view_queries where workspace_id = ${workspaceId} and id = ${id}`)
}

const QUERIES_AT_ONCE = 10

/** Deletes a few expired queries. @returns whether more may have expired */
export async function dropEndedViewQueries(db: Transaction, now: number): Promise<boolean> {
  const ended = await db.all(
    { workspace_id: 'text', id: 'text' },
    sql`select workspace_id, id from view_queries where expires_time <= ${now} limit ${QUERIES_AT_ONCE}`,
  )
  for (const { workspace_id: workspaceId, id } of ended) await deleteViewQueryRows(db, workspaceId, id)
  return ended.length === QUERIES_AT_ONCE
}
