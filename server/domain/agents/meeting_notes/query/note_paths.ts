import type { MeetingNotesPropertyName } from '../../../../../generated/types.ts'
import { scanNotes, type NotePosition, type NoteRange, type TimeRange } from '../../../../store/note_scans.ts'
import type { Bound } from '../../../../store/row_tests.ts'
import type { Scope } from '../../../shared/index.ts'
import type { NoteOrder } from './note_order.ts'
import type { NoteAccessPath } from './note_access_path.ts'
import { visibleNotes } from './visible_notes.ts'
import type { NoteFilter } from './parse_note_filter.ts'

interface NoteQuestion {
  readonly filter: NoteFilter
  readonly order: NoteOrder
  /** Only notes of these people are returned; undefined for all. */
  readonly people: readonly string[] | undefined
  /** The size of the first batch. */
  readonly first: number
}

/** With more people, the access path by person is not faster. */
const PEOPLE_MAX = 10

/** Scans by the index of a property, or of all notes. */
const ALONG = {
  created_time: 'creation',
  last_edited_time: 'edits',
  title: 'titles',
  created_by: 'creation',
  last_edited_by: 'creation',
  attendees: 'creation',
} as const satisfies Record<MeetingNotesPropertyName, NoteRange['along']>

/**
 * The access paths to the notes: by the order of a sort, by a condition of the filter, and by the pages visible to the caller.
 */
export async function notePaths(scope: Scope, question: NoteQuestion): Promise<readonly NoteAccessPath[]> {
  const { filter, order, people } = question
  const along = ALONG[order.sorts[0].property]
  const few = filter.people.find((group) => group.length <= PEOPLE_MAX)
  const visible = await visibleNotes(scope)
  return [
    ...(along === 'titles' ? [alongTitles(scope, question)] : []),
    ...(along === 'creation' || people || filter.createdWithin.length > 0 ? [alongCreation(scope, question, people)] : []),
    ...(along === 'edits' || filter.editedWithin.length > 0 ? [alongEdits(scope, question)] : []),
    ...(few ? [alongCreation(scope, question, few)] : []),
    ...(visible ? [visible] : []),
  ]
}

function alongCreation(scope: Scope, question: NoteQuestion, people: readonly string[] | undefined): NoteAccessPath {
  const [{ property, direction }] = question.order.sorts
  const isInOrder = property === 'created_time'
  const range = { along: 'creation', people, within: rangeOf(question.filter.createdWithin) } as const
  return scanned(scope, { ...range, direction: isInOrder ? direction : 'descending' }, isInOrder, question.first)
}

function alongEdits(scope: Scope, question: NoteQuestion): NoteAccessPath {
  const [{ property, direction }] = question.order.sorts
  const range = { along: 'edits', within: rangeOf(question.filter.editedWithin) } as const
  return scanned(scope, { ...range, direction }, property === 'last_edited_time', question.first)
}

/** Notes without a title come last in either direction. */
async function* alongTitles(scope: Scope, { order, first }: NoteQuestion): NoteAccessPath {
  const [{ direction }] = order.sorts
  yield* scanned(scope, { along: 'titles', which: 'unknown', direction }, false, first)
  yield* scanned(scope, { along: 'titles', which: 'titled', direction }, true, first)
  yield* scanned(scope, { along: 'titles', which: 'untitled', direction }, true, first)
}

const AT_ONCE_MAX = 1_000
/** The growth of batches. Most queries need only the first one. */
const GROWTH = 4

async function* scanned({ db, actor }: Scope, range: NoteRange, isInOrder: boolean, first: number): NoteAccessPath {
  let next: NotePosition | undefined
  let size = first
  do {
    const portion = await scanNotes(db, { workspaceId: actor.workspaceId, ...range }, next, size)
    yield { rows: portion.rows, isInOrder, read: portion.rows.length }
    next = portion.next
    size = Math.min(size * GROWTH, AT_ONCE_MAX)
  } while (next)
}

/** The smallest and the greatest integer that all bounds allow. */
function rangeOf(bounds: readonly Bound[]): TimeRange {
  let [from, to] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  for (const { operator, value } of bounds) {
    if (operator === '=' || operator === '>=') from = Math.max(from, value)
    if (operator === '>') from = Math.max(from, value + 1)
    if (operator === '=' || operator === '<=') to = Math.min(to, value)
    if (operator === '<') to = Math.min(to, value - 1)
  }
  return { from, to }
}
