import type { MeetingNotesBlock, MeetingNotesResults, QueryMeetingNotesRequest } from '../../../../generated/types.ts'
import { chunks, yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import { visibleAmong } from '../../../store/access.ts'
import { findBlocks } from '../../../store/blocks.ts'
import type { NotePosition, NoteScan } from '../../../store/meeting_notes.ts'
import type { Bound } from '../../../store/row_tests.ts'
import { trashedAmong } from '../../../store/trash.ts'
import { presentBlocks } from '../../blocks/present.ts'
import type { Scope } from '../../scope.ts'
import { NoteOrder, type PlacedNote } from './note_order.ts'
import { noteOf, type NoteFacts } from './note.ts'
import { notePortions } from './note_portions.ts'
import { parseNoteFilter, type NoteFilter } from './parse_note_filter.ts'

const LIMIT = 50

/**
 * The first notes that pass a filter, in an order. A caller who acts for somebody is shown what that person, or the caller's own bot,
 * created or was invited to; a bot of its own, all that it sees.
 * @throws ServiceError `validation_error`; `service_unavailable` when the time of the request is over
 */
export async function queryMeetingNotes(
  scope: Scope,
  { filter, sort, limit = LIMIT }: QueryMeetingNotesRequest,
): Promise<MeetingNotesResults> {
  const found = await firstNotes(scope, parseNoteFilter(filter, scope.now), new NoteOrder(sort), limit + 1)
  const ids = found.slice(0, limit).map(({ id }) => id)
  const blocks = await findBlocks(scope.db, scope.actor.workspaceId, ids)
  const notes = ids.flatMap((id) => blocks.get(id) ?? [])
  return {
    object: 'list',
    type: 'block',
    block: {},
    // All of them are notes, and callers of this operation may read content.
    results: (await presentBlocks(scope, notes)) as MeetingNotesBlock[],
    has_more: found.length > limit,
    next_cursor: null,
  }
}

/** Scans the notes that may pass, and keeps the first that do: memory is the same however many there are. */
async function firstNotes(scope: Scope, filter: NoteFilter, order: NoteOrder, count: number): Promise<readonly PlacedNote[]> {
  const first: PlacedNote[] = []
  for await (const rows of notePortions(scope, scanOf(scope, filter, order), count)) {
    const passing = rows.filter(({ inTrash }) => !inTrash).map(noteOf)
    await keepFirst(scope, order, first, count, passing.filter(filter.passes))
    const last = rows.at(-1)
    if (last === undefined || isSettled(order, first, count, last)) break
    scope.requireTime?.()
    await yieldToEventLoop()
  }
  return first
}

/** Whether nothing behind a position of the scan can come before what has been found. */
function isSettled({ sorts }: NoteOrder, first: readonly PlacedNote[], count: number, { createdTime }: NotePosition): boolean {
  const last = first.length < count ? undefined : first.at(-1)
  return sorts[0]?.property === 'created_time' && last !== undefined && last.createdTime !== createdTime
}

/** Takes notes among the first, the best at first: whether the caller sees them costs more than to compare them, so few are asked about. */
async function keepFirst(
  scope: Scope,
  order: NoteOrder,
  first: PlacedNote[],
  count: number,
  notes: readonly NoteFacts[],
): Promise<void> {
  const compare = (one: PlacedNote, other: PlacedNote): number => order.compare(one, other)
  const placed = (await order.place(scope, notes)).sort(compare)
  for (const portion of chunks(placed, count)) {
    const last = first.length < count ? undefined : first.at(-1)
    const better = portion.filter((note) => last === undefined || compare(note, last) < 0)
    if (better.length === 0) return
    first.push(...(await seenAmong(scope, better)))
    first.sort(compare).splice(count)
  }
}

/** Those of the notes that the caller sees, outside the trash. */
async function seenAmong({ db, actor }: Scope, notes: readonly PlacedNote[]): Promise<readonly PlacedNote[]> {
  const ids = notes.map(({ id }) => id)
  const [visible, trashed] = [await visibleAmong(db, actor, ids), await trashedAmong(db, actor.workspaceId, ids)]
  return notes.filter(({ id }) => visible.has(id) && !trashed.has(id))
}

function scanOf({ actor }: Scope, { createdWithin }: NoteFilter, { sorts: [first] }: NoteOrder): NoteScan {
  const { workspaceId, userId, personId } = actor
  const [from, to] = rangeOf(createdWithin)
  return {
    workspaceId,
    people: personId === undefined ? undefined : [...new Set([userId, personId])],
    direction: first?.property === 'created_time' ? first.direction : 'descending',
    from,
    to,
  }
}

/** The least and the greatest whole number within bounds. */
function rangeOf(bounds: readonly Bound[]): [number, number] {
  let [from, to] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  for (const { operator, value } of bounds) {
    if (operator === '=' || operator === '>=') from = Math.max(from, value)
    if (operator === '>') from = Math.max(from, value + 1)
    if (operator === '=' || operator === '<=') to = Math.min(to, value)
    if (operator === '<') to = Math.min(to, value - 1)
  }
  return [from, to]
}
