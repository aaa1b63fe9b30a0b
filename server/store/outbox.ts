import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { raw, sql } from './sql.ts'

const streams = ['at_once', 'window', 'window_2022_06_28'] as const

/** Which changes lie together, see the table. */
export type Stream = (typeof streams)[number]

/** Something that happened to an entity, as it waits to be told. */
export interface NewEntry {
  readonly entityId: string
  readonly stream: Stream
  readonly type: string
  readonly time: number
  readonly authorId: string
  /** JSON. */
  readonly details: string
  /** The subscriptions that were active: their API version, or null where they had not asked for the type. */
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

/** Named literally, so that an engine knows which of the partial indexes has all that is asked for. */
const AT_ONCE = raw(`stream = 'at_once'`)
const IN_WINDOWS = raw(`stream <> 'at_once'`)

/** What is told change by change, in the order in which it happened. */
export async function listEntriesAtOnce(db: Connection, workspaceId: string, limit: number): Promise<Entry[]> {
  const rows = await db.all(
    entryRow,
    sql`select ${COLUMNS} from outbox o where o.workspace_id = ${workspaceId} and o.${AT_ONCE} order by o.number limit ${limit}`,
  )
  return rows.map(fromRow)
}

/** How long changes of an entity lie together, in milliseconds. */
interface WindowTerms {
  /** Without a change. */
  readonly quiet: number
  /** In all. */
  readonly whole: number
}

/** Entities of a stream whose changes have lain together long enough. */
export async function listRipeEntities(
  db: Connection,
  workspaceId: string,
  stream: Stream,
  now: number,
  { quiet, whole }: WindowTerms,
  limit: number,
): Promise<string[]> {
  const rows = await db.all(
    { entity_id: 'text' },
    sql`select entity_id from outbox where workspace_id = ${workspaceId} and stream = ${stream} and ${IN_WINDOWS}
      group by entity_id having max(time) <= ${now - quiet} or min(time) <= ${now - whole} limit ${limit}`,
  )
  return rows.map((row) => row.entity_id)
}

/** When the next entity of a stream will be ripe; undefined where there is none. */
export async function nextRipeTime(
  db: Connection,
  workspaceId: string,
  stream: Stream,
  { quiet, whole }: WindowTerms,
): Promise<number | undefined> {
  const row = await db.get(
    { ripe: 'integer?' },
    sql`select min(case when last_time + ${quiet} < first_time + ${whole} then last_time + ${quiet} else first_time + ${whole} end)
      as ripe from (select min(time) as first_time, max(time) as last_time from outbox
        where workspace_id = ${workspaceId} and stream = ${stream} and ${IN_WINDOWS} group by entity_id) as entities`,
  )
  return row?.ripe ?? undefined
}

/** Everything that happened to some entities, in its order. */
export async function listEntriesOf(
  db: Connection,
  workspaceId: string,
  stream: Stream,
  entityIds: readonly string[],
): Promise<Entry[]> {
  if (entityIds.length === 0) return []
  const ofEntity = sql`o.workspace_id = ${workspaceId} and o.stream = ${stream} and o.entity_id = wanted.id and o.${IN_WINDOWS}`
  const rows = await db.all(
    entryRow,
    sql`select ${COLUMNS} from ${db.wanted(entityIds)} ${db.lookUpEach('outbox', 'o', ofEntity)} order by o.number`,
  )
  return rows.map(fromRow)
}

function fromRow(row: RowOf<typeof entryRow>): Entry {
  const { number, entity_id: entityId, stream, type, time, author_id: authorId, details } = row
  return { number, entityId, stream, type, time, authorId, details, listeners: JSON.parse(row.listeners) as Entry['listeners'] }
}

/** Where something has been waiting since before some time. Reads the whole table, which holds what happened in half a minute. */
export async function listOverdueStreams(
  db: Connection,
  before: number,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly stream: Stream }[]> {
  const rows = await db.all(
    { workspace_id: 'text', stream: streams },
    sql`select workspace_id, stream from outbox where time <= ${before} group by workspace_id, stream limit ${limit}`,
  )
  return rows.map(({ workspace_id: workspaceId, stream }) => ({ workspaceId, stream }))
}

/** Takes what has been told of some entities out of the outbox, up to a number. */
export async function deleteEntriesOf(
  db: Transaction,
  workspaceId: string,
  stream: Stream,
  entityIds: readonly string[],
  lastNumber: number,
): Promise<void> {
  if (entityIds.length === 0) return
  await db.run(
    sql`delete from outbox where workspace_id = ${workspaceId} and stream = ${stream}
      and ${stream === 'at_once' ? AT_ONCE : IN_WINDOWS} and number <= ${lastNumber}
      and entity_id in (select wanted.id from ${db.wanted(entityIds)})`,
  )
}
