import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { sql, valueList } from './sql.ts'

export const refusedRequestRow = rowOf({
  request_id: 'text',
  time: 'integer',
  status: 'integer',
  code: 'text',
  method: 'text',
  /** Without the query. */
  path: 'text',
  operation: 'text',
  caller_workspace_id: 'text?',
  connection_id: 'text?',
  member_id: 'text?',
  message: 'text',
  /** A JSON list of the invalid paths of the request. */
  places: 'text',
  /** JSON without secrets; null unless the operator enabled storing bodies. */
  body: 'text?',
})
export type RefusedRequestRow = RowOf<typeof refusedRequestRow>

const COLUMNS = Object.keys(refusedRequestRow) as (keyof RefusedRequestRow)[]

/** Operations in which anyone can name a connection without its credentials: only people are authenticated there. */
const BY_PEOPLE: readonly string[] = ['createAuthorization', 'retrieveAuthorizationPage']

/** The connection or person that sent a refused request; null for all callers that were not authenticated, which count as one. */
export const callerOf = (row: RefusedRequestRow): string | null =>
  isByCredentials(row) ? (row.connection_id ?? row.member_id) : row.member_id

/** Whether the connection named in a request has proven its identity, by its credentials. */
export const isByCredentials = ({ operation }: RefusedRequestRow): boolean => !BY_PEOPLE.includes(operation)

/**
 * Adds refused requests, oldest first, and keeps a limited number of them. The last request of each caller is kept in preference to
 * anyone's second to last, and so on, so that a flood from one caller does not displace the requests of others.
 */
export async function addRefusedRequests(db: Transaction, requests: readonly RefusedRequestRow[], kept: number): Promise<void> {
  const rows = requests.map((request) => COLUMNS.map((column) => request[column]))
  await db.insert({ table: 'refused_requests', columns: COLUMNS, rows })
  const caller = sql`case when operation in (${valueList(BY_PEOPLE)}) then member_id else coalesce(connection_id, member_id) end`
  await db.run(
    sql`delete from refused_requests where number not in (
      select number from (
        select number, row_number() over (partition by ${caller} order by number desc) as place
        from refused_requests) as placed
      order by place, number desc limit ${kept})`,
  )
}

/** The refused requests, newest first. */
export async function listRefusedRequests(db: Connection, limit: number): Promise<RefusedRequestRow[]> {
  return db.all(
    refusedRequestRow,
    sql`select ${columnNames(refusedRequestRow)} from refused_requests order by number desc limit ${limit}`,
  )
}

export async function findRefusedRequest(db: Connection, requestId: string): Promise<RefusedRequestRow | undefined> {
  return db.get(
    refusedRequestRow,
    sql`select ${columnNames(refusedRequestRow)} from refused_requests where request_id = ${requestId}`,
  )
}

export async function dropRefusedRequests(db: Transaction, workspaceId: string): Promise<void> {
  await db.run(sql`delete from refused_requests where caller_workspace_id = ${workspaceId}`)
}
