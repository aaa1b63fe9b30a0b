import type { Connection, Transaction } from './database.ts'
import { rowOf } from './row_shape.ts'

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
const COLUMNS = Object.keys(entryRow)
  .map((column) => `o.${column}`)
  .join(', ')

/** Named literally, so that an engine knows which of the partial indexes has all that is asked for. */
const AT_ONCE = `stream = 'at_once'`
const IN_WINDOWS = `stream <> 'at_once'`

/** What is told change by change, in the order in which it happened. */
export async function listEntriesAtOnce(db: Connection, workspaceId: string, limit: number): Promise<Entry[]> {
  const rows = await db.all(
    entryRow,
    `select ${COLUMNS} from outbox o where o.workspace_id = ? and o.${AT_ONCE} order by o.number limit ?`,
    workspaceId,
    limit,
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
    `select entity_id from outbox where workspace_id = ? and stream = ? and ${IN_WINDOWS} group by entity_id
     having max(time) <= ? or min(time) <= ? limit ?`,
    workspaceId,
    stream,
    now - quiet,
    now - whole,
    limit,
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
    `select min(case when last_time + ? < first_time + ? then last_time + ? else first_time + ? end) as ripe
     from (select min(time) as first_time, max(time) as last_time from outbox
       where workspace_id = ? and stream = ? and ${IN_WINDOWS} group by entity_id) as entities`,
    quiet,
    whole,
    quiet,
    whole,
    workspaceId,
    stream,
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
  const wanted = db.wanted(entityIds)
  const rows = await db.all(
    entryRow,
    `select ${COLUMNS} from ${wanted.table}
     ${db.lookUpEach('outbox', 'o', `o.workspace_id = ? and o.stream = ? and o.entity_id = wanted.id and o.${IN_WINDOWS}`)}
     order by o.number`,
    wanted.parameter,
    workspaceId,
    stream,
  )
  return rows.map(fromRow)
}

function fromRow(row: {
  readonly number: number
  readonly entity_id: string
  readonly stream: Stream
  readonly type: string
  readonly time: number
  readonly author_id: string
  readonly details: string
  readonly listeners: string
}): Entry {
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
    'select workspace_id, stream from outbox where time <= ? group by workspace_id, stream limit ?',
    before,
    limit,
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
  const wanted = db.wanted(entityIds)
  await db.run(
    `delete from outbox where workspace_id = ? and stream = ? and ${stream === 'at_once' ? AT_ONCE : IN_WINDOWS} and number <= ?
       and entity_id in (select wanted.id from ${wanted.table})`,
    workspaceId,
    stream,
    lastNumber,
    wanted.parameter,
  )
}
