import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, valueList } from './sql.ts'
import { readJson } from './stored/read_json.ts'
import { IN_ACTIVE_WORKSPACE } from './workspaces.ts'

export const streams = ['at_once', 'window', 'window_2022_06_28'] as const

/** Which changes are coalesced with each other; see the table. */
export type Stream = (typeof streams)[number]

/** A change of an entity that waits to become an event. */
export interface NewEntry {
  readonly entityId: string
  readonly stream: Stream
  readonly type: string
  readonly time: number
  readonly authorId: string
  /** The details as JSON. */
  readonly details: string
  /**
   * The subscriptions that were active when the change was made, each with its API version, or null if it had not subscribed to the type.
   */
  readonly listeners: Readonly<Record<string, string | null>>
}

export interface Entry extends NewEntry {
  readonly number: number
}

export function insertEntries(db: Transaction, workspaceId: string, entries: readonly NewEntry[]): Promise<void> {
  return db.insert({
    table: 'outbox',
    columns: ['workspace_id', 'entity_id', 'stream', 'type', 'time', 'author_id', 'details', 'listeners'],
    rows: entries.map(({ entityId, stream, type, time, authorId, details, listeners }) => [
      ...[workspaceId, entityId, stream, type, time, authorId, details, JSON.stringify(listeners)],
    ]),
  })
}

const entryRow = rowOf({
  number: 'integer',
  entity_id: 'text',
  stream: streams,
  type: 'text',
  time: 'integer',
  author_id: 'text',
  details: 'text',
  listeners: 'text',
})
const COLUMNS = columnNames(entryRow, 'o')

/** Literals instead of parameters, so that engines can choose the right partial index. */
const IMMEDIATE = raw(`stream = 'at_once'`)
const IN_WINDOWS = raw(`stream <> 'at_once'`)

/** Immediate changes, oldest first. */
export async function listImmediateEntries(db: Connection, workspaceId: string, limit: number): Promise<Entry[]> {
  const rows = await db.all(
    entryRow,
    sql`select ${COLUMNS} from outbox o where o.workspace_id = ${workspaceId} and o.${IMMEDIATE} order by o.number limit ${limit}`,
  )
  return rows.map(fromRow)
}

/** How long the changes of an entity are collected, in milliseconds. */
interface WindowTerms {
  /** From the last change of the entity. */
  readonly quiet: number
  /** From the first change of the entity. */
  readonly whole: number
}

export interface DueEntity {
  readonly id: string
  /** The number of entries of the entity, including those that are not due. */
  readonly entries: number
}

/** Entities of a stream whose changes have been collected long enough. */
export async function listDueEntities(
  db: Connection,
  workspaceId: string,
  stream: Stream,
  now: number,
  { quiet, whole }: WindowTerms,
  limit: number,
): Promise<DueEntity[]> {
  const rows = await db.all(
    { entity_id: 'text', entries: 'integer' },
    sql`select entity_id, count(*) as entries from outbox where workspace_id = ${workspaceId} and stream = ${stream} and ${IN_WINDOWS}
      group by entity_id having max(time) <= ${now - quiet} or min(time) <= ${now - whole} limit ${limit}`,
  )
  return rows.map(({ entity_id: id, entries }) => ({ id, entries }))
}

/** The given entities that have an unreported change of a type in the window stream that was made after a time. */
export async function findRecentChanges(
  db: Connection,
  workspaceId: string,
  type: string,
  entityIds: readonly string[],
  after: number,
): Promise<ReadonlySet<string>> {
  if (entityIds.length === 0) return new Set()
  const ofEntity = sql`o.workspace_id = ${workspaceId} and o.stream = 'window' and o.entity_id = wanted.id and o.time > ${after} and o.${IN_WINDOWS}`
  const rows = await db.all(
    { id: 'text' },
    sql`select distinct wanted.id from ${db.wanted(entityIds)} ${db.lookUpEach('outbox', 'o', ofEntity)} where o.type = ${type}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** When the next entity of a stream is due, or undefined. */
export async function nextDueTime(
  db: Connection,
  workspaceId: string,
  stream: Stream,
  { quiet, whole }: WindowTerms,
): Promise<number | undefined> {
  const row = await db.get(
    { due: 'integer?' },
    sql`select min(case when last_time + ${quiet} < first_time + ${whole} then last_time + ${quiet} else first_time + ${whole} end)
      as due from (select min(time) as first_time, max(time) as last_time from outbox
        where workspace_id = ${workspaceId} and stream = ${stream} and ${IN_WINDOWS} group by entity_id) as entities`,
  )
  return row?.due ?? undefined
}

/** The oldest changes of some entities, in order. */
export async function listEntriesOf(
  db: Connection,
  workspaceId: string,
  stream: Stream,
  entityIds: readonly string[],
  limit: number,
): Promise<Entry[]> {
  if (entityIds.length === 0) return []
  const ofEntity = sql`o.workspace_id = ${workspaceId} and o.stream = ${stream} and o.entity_id = wanted.id and o.${IN_WINDOWS}`
  const rows = await db.all(
    entryRow,
    sql`select ${COLUMNS} from ${db.wanted(entityIds)} ${db.lookUpEach('outbox', 'o', ofEntity)} order by o.number limit ${limit}`,
  )
  return rows.map(fromRow)
}

function fromRow(row: RowOf<typeof entryRow>): Entry {
  const { number, entity_id: entityId, stream, type, time, author_id: authorId, details } = row
  return {
    number,
    entityId,
    stream,
    type,
    time,
    authorId,
    details,
    listeners: readJson('outbox.listeners', row.entity_id, row.listeners) as Entry['listeners'],
  }
}

/**
 * The streams of active workspaces that have entries from before a time. Scans the whole table, which contains the changes of about half a
 * minute.
 */
export async function listOverdueStreams(
  db: Connection,
  before: number,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly stream: Stream }[]> {
  const rows = await db.all(
    { workspace_id: 'text', stream: streams },
    sql`select workspace_id, stream from outbox where time <= ${before} and ${IN_ACTIVE_WORKSPACE} group by workspace_id, stream limit ${limit}`,
  )
  return rows.map(({ workspace_id: workspaceId, stream }) => ({ workspaceId, stream }))
}

const DELETED_AT_ONCE = 500

/**
 * Deletes entries by their numbers. To find them by entity, the engine would compare each entity with each entry of a backlog, because its
 * statistics show an empty table.
 */
export async function deleteEntries(db: Transaction, workspaceId: string, numbers: readonly number[]): Promise<void> {
  for (let start = 0; start < numbers.length; start += DELETED_AT_ONCE)
    await db.run(
      sql`delete from outbox where workspace_id = ${workspaceId}
        and number in (${valueList(numbers.slice(start, start + DELETED_AT_ONCE))})`,
    )
}
