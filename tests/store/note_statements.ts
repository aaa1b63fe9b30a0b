import { randomUUID } from 'node:crypto'
import { generateNKeysBetween } from 'fractional-indexing'
import { insertBlocks } from '../../server/store/blocks.ts'
import type { Connection, Transaction } from '../../server/store/database.ts'
import { listNotesOnPages, scanNotes, type NoteRange } from '../../server/store/note_scans.ts'
import { listTitlesDirectlyBelow } from '../../server/store/titles.ts'
import { collationKey } from '../../server/kernel/collation.ts'

/** Meeting notes of one person, all on one page. */
export interface PlantedNotes {
  readonly pageId: string
  readonly personId: string
  readonly ids: readonly string[]
  /** Creation time of a note in the middle. */
  readonly middle: number
}

export async function plantNotes(db: Transaction, workspaceId: string, count: number): Promise<PlantedNotes> {
  const [pageId, personId] = [randomUUID(), randomUUID()]
  const ids = Array.from({ length: count }, () => randomUUID())
  const ranks = generateNKeysBetween(null, null, count)
  await insertBlocks(
    db,
    workspaceId,
    ids.map((id, index) => ({
      id,
      type: 'meeting_notes',
      parentType: 'page_id',
      parentId: pageId,
      pageId,
      rank: ranks[index] ?? '',
      content: { title: [{ type: 'text', text: { content: titleOf(index) } }] },
      createdTime: index,
      createdBy: personId,
    })),
  )
  return { pageId, personId, ids, middle: count / 2 }
}

function titleOf(index: number): string {
  return `Note ${String(index).padStart(9, '0')}`
}

interface Planted {
  readonly notes: PlantedNotes
  readonly wide: string
  readonly someIds: readonly string[]
}

type Statement = (db: Connection, planted: Planted) => Promise<unknown>

const WITHIN = { from: 0, to: 999_999_999 }
const SIZE = 10

export function noteStatements(workspaceId: string): Record<string, Statement> {
  const ranges: Record<string, (notes: PlantedNotes) => [range: NoteRange, key: number | string]> = {
    'in the order of their creation': ({ middle }) => [range({ along: 'creation', people: undefined, within: WITHIN }), middle],
    'of a person': ({ middle, personId }) => [range({ along: 'creation', people: [personId], within: WITHIN }), middle],
    'in the order of their edits': ({ middle }) => [range({ along: 'edits', within: WITHIN }), middle],
    'in the order of their titles': ({ middle }) => [range({ along: 'titles', which: 'titled' }), collationKey(titleOf(middle))],
  }
  const scans = Object.entries(ranges).flatMap(([name, of]) =>
    (['ascending', 'descending'] as const).map((direction): [string, Statement] => [
      `${SIZE} notes in the middle, ${name}, ${direction}`,
      (db, { notes }) => {
        const [note, key] = of(notes)
        return scanNotes(db, { ...note, direction, workspaceId }, { key, id: randomUUID() }, SIZE)
      },
    ]),
  )
  return {
    ...Object.fromEntries(scans),
    'notes without a title': (db) =>
      scanNotes(db, { ...range({ along: 'titles', which: 'untitled' }), workspaceId }, undefined, SIZE),
    'notes from before titles had a key': (db) =>
      scanNotes(db, { ...range({ along: 'titles', which: 'unknown' }), workspaceId }, undefined, SIZE),
    'notes on 100 pages': (db, { someIds }) => listNotesOnPages(db, workspaceId, someIds, undefined, SIZE),
    'notes of a page with many': (db, { notes: { pageId, ids } }) => listNotesOnPages(db, workspaceId, [pageId], ids[0], SIZE),
    'titles below 100 items': (db, { someIds }) => listTitlesDirectlyBelow(db, workspaceId, someIds, undefined, SIZE),
    'titles below one item, behind one of them': (db, { wide }) => listTitlesDirectlyBelow(db, workspaceId, [wide], 100, SIZE),
  }
}

function range<R>(part: R): R & { readonly direction: 'descending' } {
  return { ...part, direction: 'descending' }
}
