import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { findRowsById, rowsById } from './rows_by_id.ts'
import { raw, sql, valueList } from './sql.ts'
import { IN_ACTIVE_WORKSPACE } from './workspaces.ts'

const scheduleRow = rowOf({
  workspace_id: 'text',
  agent_id: 'text',
  /** The index of the trigger in the agent's list of triggers. */
  position: 'integer',
  /** The schedule as JSON. */
  schedule: 'text',
  /** When the schedule was set, in milliseconds since 1970. */
  anchor_time: 'integer',
  /** When the agent is started next; null if the schedule has ended. */
  next_time: 'integer?',
  /** How many runs the schedule has started. */
  runs: 'integer',
})
export type ScheduleRow = RowOf<typeof scheduleRow>

const COLUMNS = Object.keys(scheduleRow).join(', ')

export async function listSchedules(db: Connection, workspaceId: string, agentId: string): Promise<ScheduleRow[]> {
  return db.all(
    scheduleRow,
    sql`select ${raw(COLUMNS)} from agent_schedules where workspace_id = ${workspaceId} and agent_id = ${agentId}
      order by position`,
  )
}

/** The schedules of active workspaces that were due before a time, the earliest first. */
export async function listOverdueSchedules(db: Connection, before: number, limit: number): Promise<ScheduleRow[]> {
  return db.all(
    scheduleRow,
    sql`select ${raw(COLUMNS)} from agent_schedules where next_time < ${before} and ${IN_ACTIVE_WORKSPACE} order by next_time limit ${limit}`,
  )
}

export async function setSchedule(db: Transaction, row: ScheduleRow): Promise<void> {
  await db.run(
    sql`insert into agent_schedules (${raw(COLUMNS)}) values (${row.workspace_id}, ${row.agent_id}, ${row.position},
      ${row.schedule}, ${row.anchor_time}, ${row.next_time}, ${row.runs}) on conflict (workspace_id, agent_id, position) do update
      set schedule = excluded.schedule, anchor_time = excluded.anchor_time, next_time = excluded.next_time, runs = excluded.runs`,
  )
}

export async function deleteSchedule(db: Transaction, { workspace_id, agent_id, position }: ScheduleRow): Promise<void> {
  await db.run(
    sql`delete from agent_schedules where workspace_id = ${workspace_id} and agent_id = ${agent_id} and position = ${position}`,
  )
}

/** Replaces the types of events that trigger an agent. */
export async function setTriggerTypes(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  types: readonly string[],
): Promise<void> {
  await db.run(sql`delete from agent_triggers where workspace_id = ${workspaceId} and agent_id = ${agentId}`)
  for (const type of new Set(types))
    await db.run(sql`insert into agent_triggers (workspace_id, type, agent_id) values (${workspaceId}, ${type}, ${agentId})`)
}

/**
 * The agents that any of the types triggers. They are always in the same order, so that concurrent transactions lock them in that order.
 */
export async function listAgentsWaiting(db: Connection, workspaceId: string, types: readonly string[]): Promise<string[]> {
  const rows = await db.all(
    { agent_id: 'text' },
    sql`select distinct agent_id from agent_triggers where workspace_id = ${workspaceId} and type in (${valueList(types)})
      order by agent_id`,
  )
  return rows.map(({ agent_id: id }) => id)
}

/** The given blocks and comments that are recorded to mention an agent. */
export async function listMentions(
  db: Connection,
  workspaceId: string,
  agentId: string,
  placeIds: readonly string[],
): Promise<string[]> {
  if (placeIds.length === 0) return []
  const rows = await db.all(
    { place_id: 'text' },
    sql`select m.place_id from ${db.wanted(placeIds)} ${db.lookUp('agent_mentions', 'm', sql`m.workspace_id = ${workspaceId} and m.agent_id = ${agentId} and m.place_id = wanted.id`)}`,
  )
  return rows.map(({ place_id: id }) => id)
}

/** Records that blocks or comments mention an agent. */
export async function addMentions(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  placeIds: readonly string[],
): Promise<void> {
  const rows = placeIds.map((id) => [workspaceId, agentId, id])
  await db.insert({ table: 'agent_mentions', columns: ['workspace_id', 'agent_id', 'place_id'], rows })
}

/** Removes the records that blocks or comments mention an agent. */
export async function dropMentions(
  db: Transaction,
  workspaceId: string,
  agentId: string,
  placeIds: readonly string[],
): Promise<void> {
  if (placeIds.length === 0) return
  await db.run(
    sql`delete from agent_mentions where workspace_id = ${workspaceId} and agent_id = ${agentId}
      and place_id in (select wanted.id from ${db.wanted(placeIds)})`,
  )
}

const placeRow = rowOf({ id: 'text', last_edited_time: 'integer' })
export type PlaceRow = RowOf<typeof placeRow>

/** Blocks and the blocks below them, without child pages and databases; at most `limit` of them. */
export async function listPlaces(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
  limit: number,
): Promise<PlaceRow[]> {
  if (ids.length === 0) return []
  return db.all(
    placeRow,
    sql`with recursive below (id, last_edited_time) as (
       select b.id, b.last_edited_time from ${db.wanted(ids)}
       ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = wanted.id`)}
       union
       select b.id, b.last_edited_time from below a
       ${db.lookUpEach('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.parent_id = a.id and b.in_trash = 0 and b.type not in ('child_page', 'child_database')`)})
     select id, last_edited_time from below limit ${limit}`,
  )
}

/** The times of blocks, for comparing them with those of `listPlaces`. Erased blocks are omitted. */
export async function findChangedPlaces(db: Connection, workspaceId: string, ids: readonly string[]): Promise<PlaceRow[]> {
  return findRowsById(db, placeRow, 'blocks', workspaceId, ids)
}

const placeTextRow = rowOf({ id: 'text', content: 'text', row_values: 'text?' })
export type PlaceText = RowOf<typeof placeTextRow>

/** The content of blocks and, for rows, their property values. Either may be long. */
export async function listPlaceTexts(db: Connection, workspaceId: string, ids: readonly string[]): Promise<PlaceText[]> {
  return db.all(
    placeTextRow,
    sql`select b.id, b.content, p.row_values from ${rowsById(db, 'blocks', 'b', workspaceId, ids)}
      left join pages p on p.workspace_id = ${workspaceId} and p.id = b.id`,
  )
}
