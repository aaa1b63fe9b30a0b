import { randomUUID } from 'node:crypto'
import { generateNKeysBetween } from 'fractional-indexing'
import { insertBlocks } from '../../server/store/blocks.ts'
import { deleteLink, insertCells, isLinked, lastPosition, listLinks, type CellOwner } from '../../server/store/cells.ts'
import type { Connection, Transaction } from '../../server/store/database.ts'
import { findPageRecords } from '../../server/store/pages.ts'
import { findRowValues, listPagesAfter } from '../../server/store/row_values.ts'

/** Rows of one data source; the first is related to all. */
export interface PlantedRows {
  readonly sourceId: string
  readonly first: string
  readonly count: number
  readonly middleRank: string
  readonly someIds: readonly string[]
}

const [LINKS, HOURS] = ['link', 'hour']

export async function plantRows(db: Transaction, workspaceId: string, count: number, userId: string): Promise<PlantedRows> {
  const sourceId = randomUUID()
  const ranks = generateNKeysBetween(null, null, count)
  const ids = ranks.map(() => randomUUID())
  await insertBlocks(
    db,
    workspaceId,
    ids.map((id, index) => ({
      // Of a type without a title: the cost of titles is measured elsewhere.
      ...{ id, type: 'paragraph', parentType: 'data_source_id', parentId: sourceId, pageId: null, rank: ranks[index] ?? '' },
      content: {},
      createdTime: 1,
      createdBy: userId,
    })),
  )
  await db.insert({
    table: 'pages',
    columns: ['workspace_id', 'id', 'is_locked', 'is_archived', 'row_values'],
    rows: ids.map((id) => [workspaceId, id, 0, 0, '{}']),
  })
  const [first = ''] = ids
  await insertCells(db, workspaceId, [
    ...ids.map((id, index) => ({ owner: ownerOf(sourceId, id), cell: { propertyId: HOURS, position: 0, numberKey: index } })),
    ...ids.map((id, position) => ({ owner: ownerOf(sourceId, first), cell: { propertyId: LINKS, position, textKey: id } })),
  ])
  return { sourceId, first, count, middleRank: ranks[count / 2] ?? '', someIds: ids.slice(-40) }
}

function ownerOf(dataSourceId: string, pageId: string): CellOwner {
  return { pageId, dataSourceId, inTrash: false, createdTime: 1 }
}

type Statement = (db: Connection, tree: { readonly wide: string; readonly rows: PlantedRows }) => unknown

export function rowStatements(workspaceId: string): Record<string, Statement> {
  return {
    '40 rows': (db, { rows }) => findPageRecords(db, workspaceId, rows.someIds),
    'values of 40 rows': (db, { rows }) => findRowValues(db, workspaceId, rows.someIds),
    '40 rows behind a rank, as children of a data source': (db, { rows }) =>
      listPagesAfter(db, workspaceId, rows.sourceId, false, rows.middleRank, 20),
    'first 20 links, as children of a row': (db, { rows }) => listLinks(db, workspaceId, rows.first, LINKS, -1, 20),
    '20 links in the middle, as children of a row': (db, { rows }) =>
      listLinks(db, workspaceId, rows.first, LINKS, rows.count / 2, 20),
    'the last link': (db, { rows }) => lastPosition(db, workspaceId, rows.first, LINKS),
    'whether a row leads to a page': (db, { rows }) =>
      isLinked(db, workspaceId, ownerOf(rows.sourceId, rows.first), LINKS, rows.someIds[0] ?? ''),
    'whether a row leads to a page that it does not': (db, { rows }) =>
      isLinked(db, workspaceId, ownerOf(rows.sourceId, rows.first), LINKS, rows.sourceId),
    'one link goes': (db, { rows }) =>
      deleteLink(db as Transaction, workspaceId, ownerOf(rows.sourceId, rows.first), LINKS, rows.someIds[1] ?? ''),
  }
}
