import { allOf } from './conditions.ts'
import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { sql, valueList, type Sql } from './sql.ts'

const auditLogRow = rowOf({
  number: 'integer',
  /** Null for an entry about the deployment. */
  workspace_id: 'text?',
  created_time: 'integer',
  /** The person who did it; null for a bot or the command line. */
  person_id: 'text?',
  /** The bot that did it. */
  bot_id: 'text?',
  /** An act in the console, the id of an operation of the API, or a command of the command line. */
  action: 'text',
  /** What was changed. */
  object_type: 'text?',
  object_id: 'text?',
  /** The name that the changed thing had at that time. */
  object_name: 'text?',
  /** The client address; null for the command line. */
  address: 'text?',
  /** Null for the command line. */
  request_id: 'text?',
})
export type AuditLogRow = RowOf<typeof auditLogRow>

/** An entry before it has its number. */
export type NewAuditEntry = Pick<AuditLogRow, 'created_time' | 'action'> & Partial<Omit<AuditLogRow, 'number' | 'workspace_id'>>

/** Which entries to list. Omitted members do not restrict them. */
export interface AuditFilter {
  readonly workspaceId?: string | undefined
  readonly since?: number | undefined
  /** Ids of people and bots; empty for the command line. */
  readonly actorIds?: readonly string[] | undefined
  readonly action?: string | undefined
  readonly objectId?: string | undefined
  /** The entry after which to continue. */
  readonly after?: Pick<AuditLogRow, 'created_time' | 'number'> | undefined
}

/** The maximum number of entries that are examined for a filter: no index covers every combination of filters. */
export const SCANNED_ENTRIES_MAX = 20_000

/**
 * The entries, newest first, among the `SCANNED_ENTRIES_MAX` newest. Without a workspace, these are the entries of all workspaces and of the
 * deployment.
 */
export async function listAuditLog(db: Connection, filter: AuditFilter, limit: number): Promise<AuditLogRow[]> {
  const conditions = conditionsOf(filter)
  const columns = columnNames(auditLogRow)
  const scanned = sql`select ${columns} from ${rangeOf(filter)} limit ${conditions.length > 0 ? SCANNED_ENTRIES_MAX : limit}`
  return db.all(
    auditLogRow,
    sql`select ${columns} from (${scanned}) as scanned where ${allOf(conditions)} order by created_time desc, number desc limit ${limit}`,
  )
}

/** The last entry that `listAuditLog` examines; undefined if it examines all that there are, or has no filter but the time and workspace. */
export async function findLastScanned(db: Connection, filter: AuditFilter): Promise<AuditFilter['after']> {
  if (conditionsOf(filter).length === 0) return undefined
  const shape = { created_time: 'integer', number: 'integer' } as const
  return db.get(shape, sql`select created_time, number from ${rangeOf(filter)} limit 1 offset ${SCANNED_ENTRIES_MAX - 1}`)
}

/** The part of the log to examine, in the order of an index. */
function rangeOf({ workspaceId, since = 0, after }: AuditFilter): Sql {
  const conditions = [
    sql`created_time >= ${since}`,
    ...(workspaceId === undefined ? [] : [sql`workspace_id = ${workspaceId}`]),
    ...(after === undefined ? [] : [sql`(created_time, number) < (${after.created_time}, ${after.number})`]),
  ]
  return sql`audit_log where ${allOf(conditions)} order by created_time desc, number desc`
}

function conditionsOf({ actorIds, action, objectId }: AuditFilter): Sql[] {
  return [
    ...(actorIds === undefined ? [] : [isBy(actorIds)]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
    ...(objectId === undefined ? [] : [sql`object_id = ${objectId}`]),
  ]
}

function isBy(ids: readonly string[]): Sql {
  if (ids.length === 0) return sql`person_id is null and bot_id is null`
  return sql`(person_id in (${valueList(ids)}) or bot_id in (${valueList(ids)}))`
}

/** @param workspaceId null for an entry about the deployment */
export async function insertAuditEntry(db: Transaction, workspaceId: string | null, entry: NewAuditEntry): Promise<void> {
  await db.run(
    sql`insert into audit_log
        (workspace_id, created_time, person_id, bot_id, action, object_type, object_id, object_name, address, request_id)
      values (${workspaceId}, ${entry.created_time}, ${entry.person_id ?? null}, ${entry.bot_id ?? null}, ${entry.action},
        ${entry.object_type ?? null}, ${entry.object_id ?? null}, ${entry.object_name ?? null}, ${entry.address ?? null},
        ${entry.request_id ?? null})`,
  )
}

/** Deletes the oldest entries up to a time. @returns the number of deleted entries */
export async function dropOldEntries(db: Transaction, createdUntil: number, limit: number): Promise<number> {
  const oldest = sql`select number from audit_log where created_time <= ${createdUntil} order by created_time, number limit ${limit}`
  return db.change(sql`delete from audit_log where number in (${oldest})`)
}
