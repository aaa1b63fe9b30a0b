import { chunks } from '../../../kernel/yield_to_event_loop.ts'
import { visibleRoots } from '../../../store/access.ts'
import {
  findNotes,
  listNotes,
  listNotesOnPages,
  type NotePosition,
  type NoteRow,
  type NoteScan,
} from '../../../store/meeting_notes.ts'
import { listTitlesBelow } from '../../../store/titles.ts'
import type { Scope } from '../../scope.ts'

const AT_ONCE_MAX = 1_000
/** How fast portions grow: most questions are answered by the newest notes. */
const GROWTH = 4
/** Someone who sees so few pages and databases, and so few notes on them, meets no others. */
const PAGES_MAX = 3_000
const NOTES_MAX = 10_000

/**
 * The notes of a scan in its order. Most of them may lie where the caller sees nothing, so when the first portions do not answer a
 * question, what is left is looked for on the pages that the caller sees, if those are few.
 * @param first how many notes the first portion has
 */
export async function* notePortions(scope: Scope, scan: NoteScan, first: number): AsyncGenerator<readonly NoteRow[]> {
  const { db } = scope
  let after: NotePosition | undefined
  for (let size = first; ; size = Math.min(size * GROWTH, AT_ONCE_MAX)) {
    const rows = await listNotes(db, scan, after, size)
    yield rows
    after = rows.at(-1)
    if (after === undefined || rows.length < size) return
    if (size === AT_ONCE_MAX || size * GROWTH < AT_ONCE_MAX) continue
    const few = await fewLeft(scope, scan, after)
    if (few === undefined) continue
    for (const portion of chunks(few, AT_ONCE_MAX)) yield await findInOrder(scope, portion)
    return
  }
}

/** What is left of a scan behind a note, as far as the caller may see it, in order; undefined when that is much. */
async function fewLeft({ db, actor }: Scope, scan: NoteScan, after: NotePosition): Promise<NotePosition[] | undefined> {
  const roots = await visibleRoots(db, actor, PAGES_MAX)
  const pages = roots && (await listTitlesBelow(db, scan.workspaceId, roots, PAGES_MAX))
  const pageIds = pages?.map(({ id }) => id)
  const notes = pageIds && (await listNotesOnPages(db, scan, after, pageIds, NOTES_MAX))
  const sign = scan.direction === 'ascending' ? 1 : -1
  return notes?.sort((one, other) => sign * compare(one, other))
}

function compare(one: NotePosition, other: NotePosition): number {
  return one.createdTime - other.createdTime || (one.id < other.id ? -1 : 1)
}

async function findInOrder({ db, actor }: Scope, positions: readonly NotePosition[]): Promise<NoteRow[]> {
  const ids = positions.map(({ id }) => id)
  const found = new Map((await findNotes(db, actor.workspaceId, ids)).map((note) => [note.id, note]))
  return ids.flatMap((id) => found.get(id) ?? [])
}
