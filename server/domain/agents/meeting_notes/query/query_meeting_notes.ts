import type { MeetingNotesBlock, MeetingNotesResults, QueryMeetingNotesRequest } from '../../../../../generated/types.ts'
import { chunks, yieldToEventLoop } from '../../../../kernel/yield_to_event_loop.ts'
import { visibleAmong } from '../../../../store/access.ts'
import { findBlocks } from '../../../../store/blocks.ts'
import { trashedAmong } from '../../../../store/trash.ts'
import { presentBlocks } from '../../../content/index.ts'
import type { Scope } from '../../../shared/index.ts'
import { NoteOrder, type PlacedNote } from './note_order.ts'
import { noteOf, type NoteFacts } from './note.ts'
import { notePaths } from './note_paths.ts'
import { parseNoteFilter, type NoteFilter } from './parse_note_filter.ts'

const LIMIT = 50

/**
 * The first notes that pass a filter, in the requested order.
 * @throws ServiceError `validation_error`; `service_unavailable` when the time limit of the request is exceeded
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
    // All of them are notes, and the operation requires the read-content capability.
    results: (await presentBlocks(scope, notes)) as MeetingNotesBlock[],
    has_more: found.length > limit,
    next_cursor: null,
  }
}

/** The cost of an empty batch, in records. */
const PORTION_COST = 50

/**
 * Keeps the first notes that match. The access path with the lowest cost so far continues, until one has found all notes. The
 * total cost is roughly that of the cheapest one times the number of access paths; memory use does not depend on the number of
 * notes.
 */
async function firstNotes(scope: Scope, filter: NoteFilter, order: NoteOrder, count: number): Promise<readonly PlacedNote[]> {
  const first: PlacedNote[] = []
  const people = peopleShownTo(scope)
  const passes = (note: NoteFacts): boolean => (people === undefined || concerns(note, people)) && filter.passes(note)
  const paths = (await notePaths(scope, { filter, order, people, first: count })).map((path) => ({ path, cost: 0 }))
  for (;;) {
    const cheapest = paths.reduce((one, other) => (other.cost < one.cost ? other : one))
    const { done, value: met } = await cheapest.path.next()
    if (done === true) return first
    cheapest.cost += PORTION_COST + met.read
    const notes = met.rows.filter(({ inTrash }) => !inTrash).map(noteOf)
    await keepFirst(scope, order, first, count, notes.filter(passes))
    const [last, reached] = [first[count - 1], met.rows.at(-1)]
    if (met.isInOrder && last && reached && order.isClearlyBefore(last, noteOf(reached))) return first
    scope.requireTime?.()
    await yieldToEventLoop()
  }
}

/**
 * The people to whose notes the query is restricted, if the caller acts for a person: that person and the caller's own bot. Otherwise
 * undefined.
 */
function peopleShownTo({ actor: { userId, personId } }: Scope): readonly string[] | undefined {
  return personId === undefined ? undefined : [...new Set([userId, personId])]
}

function concerns({ createdBy, attendees }: NoteFacts, people: readonly string[]): boolean {
  return people.some((id) => id === createdBy || attendees.includes(id))
}

/** Merges more notes into the best ones found so far. Checking visibility costs more than comparing, so few notes are checked. */
async function keepFirst(
  scope: Scope,
  order: NoteOrder,
  first: PlacedNote[],
  count: number,
  notes: readonly NoteFacts[],
): Promise<void> {
  const compare = (one: PlacedNote, other: PlacedNote): number => order.compare(one, other)
  const known = new Set(first.map(({ id }) => id))
  const placed = await order.place(
    scope,
    notes.filter(({ id }) => !known.has(id)),
  )
  placed.sort(compare)
  for (const portion of chunks(placed, count)) {
    const last = first.length < count ? undefined : first.at(-1)
    const better = portion.filter((note) => last === undefined || compare(note, last) < 0)
    if (better.length === 0) return
    first.push(...(await seenAmong(scope, better)))
    first.sort(compare).splice(count)
  }
}

/** Returns those notes that are visible to the caller and not in the trash. */
async function seenAmong({ db, actor }: Scope, notes: readonly PlacedNote[]): Promise<readonly PlacedNote[]> {
  const ids = notes.map(({ id }) => id)
  const [visible, trashed] = [await visibleAmong(db, actor, ids), await trashedAmong(db, actor.workspaceId, ids)]
  return notes.filter(({ id }) => visible.has(id) && !trashed.has(id))
}
