import { randomUUID } from 'node:crypto'
import type { Connection, Transaction } from '../../server/store/database.ts'
import {
  dropEndedViewQueries,
  findViewQuery,
  insertViewQuery,
  listOwnQueries,
  listViewQueryIds,
} from '../../server/store/view_queries.ts'
import {
  countTabs,
  deleteViewRows,
  endOfTabs,
  findView,
  findViewInRange,
  listViewsAfter,
  type ListedView,
} from '../../server/store/views.ts'

/**
 * Views of one database, all over the data source with the same id.
 * @returns the view in the middle
 */
export async function plantViews(db: Transaction, workspaceId: string, count: number, databaseId: string): Promise<ListedView> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await db.insert({
    table: 'views',
    columns: [
      'workspace_id',
      'id',
      'database_id',
      'data_source_id',
      'position',
      'type',
      'name',
      'settings',
      'created_time',
      'created_by',
      'last_edited_time',
      'last_edited_by',
    ],
    rows: ids.map((id, index) => [
      workspaceId,
      id,
      databaseId,
      databaseId,
      index,
      'table',
      '',
      '{}',
      1,
      databaseId,
      1,
      databaseId,
    ]),
  })
  const position = count / 2
  return { id: ids[position] ?? '', databaseId, position, createdTime: 1 }
}

/**
 * Queries of one owner, one of them with many ids.
 * @returns the query with many ids
 */
export async function plantViewQueries(db: Transaction, workspaceId: string, count: number, ownerId: string): Promise<string> {
  const columns = ['workspace_id', 'id', 'view_id', 'owner_id', 'total_count', 'is_incomplete', 'created_time', 'expires_time']
  const rows = Array.from({ length: count }, (_, index) => [
    workspaceId,
    randomUUID(),
    ownerId,
    ownerId,
    0,
    0,
    index,
    index + 1_000,
  ])
  await db.insert({ table: 'view_queries', columns, rows })
  const [id, viewId] = [randomUUID(), ownerId]
  const times = { createdTime: count, expiresTime: 9_999_999 }
  const ids = Array.from({ length: Math.min(count * 10, 10_000) }, () => ownerId)
  await insertViewQuery(db, workspaceId, { id, viewId, ownerId, totalCount: ids.length, isIncomplete: false, ...times }, ids)
  return id
}

export function viewStatements(
  workspaceId: string,
): Record<
  string,
  (db: Connection, tree: { readonly wide: string; readonly view: ListedView; readonly viewQuery: string }) => Promise<unknown>
> {
  return {
    'a view': (db, { view }) => findView(db, workspaceId, view.id),
    'the view of a cursor': (db, { wide, view }) =>
      findViewInRange(db, workspaceId, { databaseId: wide }, { from: view.id, to: view.id }),
    'first 50 tabs, as children of a database': (db, { wide }) =>
      listViewsAfter(db, workspaceId, { databaseId: wide }, undefined, 50),
    '50 tabs in the middle, as children of a database': (db, { wide, view }) =>
      listViewsAfter(db, workspaceId, { databaseId: wide }, view, 50),
    '50 tabs over a data source, as children of a database': (db, { wide, view }) =>
      listViewsAfter(db, workspaceId, { databaseId: wide, dataSourceId: wide }, view, 50),
    '50 views, as children of a data source': (db, { wide, view }) =>
      listViewsAfter(db, workspaceId, { dataSourceId: wide }, view, 50),
    'whether a database has more than one tab': (db, { wide }) => countTabs(db, workspaceId, wide, 2),
    'the end of the tabs': (db, { wide }) => endOfTabs(db, workspaceId, wide),
    'a view query': (db, { viewQuery }) => findViewQuery(db, workspaceId, viewQuery),
    '100 ids of a view query': (db, { viewQuery }) => listViewQueryIds(db, workspaceId, viewQuery, 950, 100),
    'newest queries, as children of their owner': (db, { wide }) => listOwnQueries(db, workspaceId, wide, 50),
    'a few queries that have ended': (db) => dropEndedViewQueries(db as Transaction, 1_100),
    'a view, away': (db, { view }) => deleteViewRows(db as Transaction, workspaceId, view.id),
  }
}
