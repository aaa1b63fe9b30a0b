import { chunks, TimeSlice } from '../../../kernel/yield_to_event_loop.ts'
import { findChangedPlaces, listPlaces, listPlaceTexts, type PlaceRow, type PlaceText } from '../../../store/agent_triggers.ts'
import type { Connection } from '../../../store/database.ts'
import { readNullableJson, readUnlessDamaged } from '../../../store/stored/read_json.ts'
import { mentions } from './mentions.ts'

/** A block whose text may be new, and the agents mentioned in it or below it. */
export interface ReadPlace extends PlaceRow {
  readonly mentioned: readonly string[]
}

const PLACES_MAX = 1_000
/** Blocks per read: few enough that even long texts take little memory and time. */
const PORTION = 16

/** Finds the agents mentioned in blocks and in the blocks below them. This takes long for long texts, and needs no transaction. */
export async function readPlaces(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
  agentIds: readonly string[],
): Promise<ReadPlace[]> {
  const times = new Map((await listPlaces(db, workspaceId, ids, PLACES_MAX)).map((row) => [row.id, row.last_edited_time]))
  const places: ReadPlace[] = []
  const slice = new TimeSlice()
  for (const portion of chunks([...times.keys()], PORTION))
    for (const row of await listPlaceTexts(db, workspaceId, portion)) {
      places.push({ id: row.id, last_edited_time: times.get(row.id) ?? 0, mentioned: mentionedIn(row, agentIds) })
      if (slice.isOver) await slice.next()
    }
  return places
}

function mentionedIn({ id, content, row_values: values }: PlaceText, agentIds: readonly string[]): readonly string[] {
  const named = agentIds.filter((agentId) => content.includes(agentId) || values?.includes(agentId))
  if (named.length === 0) return named
  const stored = [readUnlessDamaged('blocks.content', id, content), readNullableJson('pages.row_values', id, values)]
  return named.filter((agentId) => mentions(stored, agentId))
}

/** Whether none of the blocks has changed since it was read. */
export async function areCurrent(db: Connection, workspaceId: string, places: readonly ReadPlace[]): Promise<boolean> {
  const found = await findChangedPlaces(
    db,
    workspaceId,
    places.map(({ id }) => id),
  )
  const times = new Map(found.map((row) => [row.id, row.last_edited_time]))
  return places.every(({ id, last_edited_time: time }) => times.get(id) === time)
}
