import { visibleRoots } from '../../../../store/access.ts'
import { listNotesOnPages, type NoteRow } from '../../../../store/note_scans.ts'
import { listTitlesDirectlyBelow, type PlacedTitle } from '../../../../store/titles.ts'
import type { Scope } from '../../../shared/index.ts'
import type { NoteAccessPath } from './note_access_path.ts'

/** The maximum number of shares for which this access path is used. With more, other access paths are likely to find visible notes soon. */
const ROOTS_MAX = 10_000
const AT_ONCE = 1_000
/** The number of items read together, most of which contain little. */
const ITEMS_AT_ONCE = 200

/** The notes on the pages visible to the caller, page by page; undefined for callers that see everything by default. */
export async function visibleNotes({ db, actor }: Scope): Promise<NoteAccessPath | undefined> {
  const roots = await visibleRoots(db, actor, ROOTS_MAX)
  return roots && notesBelow(db, actor.workspaceId, roots)
}

/** Depth first, keeping no more than one batch of each level in memory. */
async function* notesBelow(db: Scope['db'], workspaceId: string, roots: readonly string[]): NoteAccessPath {
  const isRoot = new Set(roots)
  const portions: AsyncGenerator<readonly string[]>[] = [inPortions(roots)]
  for (let portion = portions.at(-1); portion; portion = portions.at(-1)) {
    const { done, value: items } = await portion.next()
    if (done === true) {
      portions.pop()
      continue
    }
    portions.push(itemsBelow(db, workspaceId, items, isRoot))
    const notes = rowsOfEach<NoteRow>(items, (ids, after, limit) => listNotesOnPages(db, workspaceId, ids, after?.id, limit))
    for await (const rows of notes) yield { rows, isInOrder: false, read: items.length + rows.length }
  }
}

/**
 * Pages, databases and data sources directly below items. Those that are themselves shared are omitted, because the scan starts
 * with them too.
 */
async function* itemsBelow(
  db: Scope['db'],
  workspaceId: string,
  items: readonly string[],
  isRoot: ReadonlySet<string>,
): AsyncGenerator<readonly string[]> {
  const titles = rowsOfEach<PlacedTitle>(items, (ids, after, limit) =>
    listTitlesDirectlyBelow(db, workspaceId, ids, after?.number, limit),
  )
  for await (const rows of titles) yield* inPortions(rows.map(({ id }) => id).filter((id) => !isRoot.has(id)))
}

async function* inPortions(ids: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let start = 0; start < ids.length; start += ITEMS_AT_ONCE) yield ids.slice(start, start + ITEMS_AT_ONCE)
}

/**
 * Rows that belong to items, in batches. One query reads several items. If they have more rows than a batch, they are split in halves; a
 * single item with more rows is read batch by batch.
 * @param read `after` is the last row read, for a single item
 */
async function* rowsOfEach<T>(
  ids: readonly string[],
  read: (ids: readonly string[], after: T | undefined, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  if (ids.length === 0) return
  let rows = await read(ids, undefined, AT_ONCE)
  if (rows.length === AT_ONCE && ids.length > 1) {
    const middle = ids.length >> 1
    yield* rowsOfEach(ids.slice(0, middle), read)
    yield* rowsOfEach(ids.slice(middle), read)
    return
  }
  yield rows
  while (rows.length === AT_ONCE) {
    rows = await read(ids, rows.at(-1), AT_ONCE)
    yield rows
  }
}
