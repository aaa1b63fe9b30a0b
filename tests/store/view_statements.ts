import { randomUUID } from 'node:crypto'
import type { Connection, Transaction } from '../../server/store/database.ts'
import {
  countTabs,
  deleteViewRows,
  endOfTabs,
  findView,
  findViewInRange,
  listViewsAfter,
  type ListedView,
} from '../../server/store/views.ts'

/** Views of one database, all over the data source that has the same id. @returns the one in the middle */
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

/** What views ask the store. */
export function viewStatements(
  workspaceId: string,
): Record<string, (db: Connection, tree: { readonly wide: string; readonly view: ListedView }) => Promise<unknown>> {
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
    'a view, away': (db, { view }) => deleteViewRows(db as Transaction, workspaceId, view.id),
  }
}
