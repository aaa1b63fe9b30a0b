import type { IdRange } from '../kernel/cursors.ts'
import type { Viewer } from './access.ts'
import type { Connection, Transaction } from './database.ts'
import { isVisible } from './visibility.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { joinSql, valueList, sql, type Sql } from './sql.ts'
import { readJson } from './stored/read_json.ts'

export interface View {
  readonly id: string
  readonly databaseId: string
  /** For a dashboard, the data source to which its filter applies. */
  readonly dataSourceId: string
  /** The dashboard that contains the view as a widget; null for a tab. */
  readonly dashboardId: string | null
  /** The position among the tabs of the database. */
  readonly position: number
  readonly type: string
  readonly name: string
  /** The domain defines their form. */
  readonly settings: unknown
  readonly createdTime: number
  readonly createdBy: string
  readonly lastEditedTime: number
  readonly lastEditedBy: string
}

const viewRow = rowOf({
  id: 'text',
  database_id: 'text',
  data_source_id: 'text',
  dashboard_id: 'text?',
  position: 'integer',
  type: 'text',
  name: 'text',
  settings: 'text',
  created_time: 'integer',
  created_by: 'text',
  last_edited_time: 'integer',
  last_edited_by: 'text',
})
type ViewRow = RowOf<typeof viewRow>

const SELECT = sql`select ${columnNames(viewRow, 'v')} from views v`

function fromRow(row: ViewRow): View {
  return {
    id: row.id,
    databaseId: row.database_id,
    dataSourceId: row.data_source_id,
    dashboardId: row.dashboard_id,
    position: row.position,
    type: row.type,
    name: row.name,
    settings: readJson('views.settings', row.id, row.settings),
    createdTime: row.created_time,
    createdBy: row.created_by,
    lastEditedTime: row.last_edited_time,
    lastEditedBy: row.last_edited_by,
  }
}

/** The position of all widgets, which is after those of all tabs. */
export const WIDGET_POSITION = 1_000_000_000

export async function findView(db: Connection, workspaceId: string, id: string): Promise<View | undefined> {
  const row = await db.get(viewRow, sql`${SELECT} where v.workspace_id = ${workspaceId} and v.id = ${id}`)
  return row && fromRow(row)
}

/** A view of a database that the viewer can see. */
export async function findVisibleView(db: Connection, viewer: Viewer, id: string): Promise<View | undefined> {
  const { workspaceId } = viewer
  const visible = isVisible(db, viewer)
  const row = await db.get(
    viewRow,
    sql`${SELECT} ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = v.database_id`)}
     where v.workspace_id = ${workspaceId} and v.id = ${id} ${visible}`,
  )
  return row && fromRow(row)
}

/** The views in a list: the tabs of a database, all views of a data source, or the tabs of a database that show a data source. */
export type ViewScope =
  | { readonly databaseId: string; readonly dataSourceId?: string | undefined }
  | { readonly databaseId?: undefined; readonly dataSourceId: string }

/** A view in a list, with the columns that determine its position. */
export interface ListedView {
  readonly id: string
  readonly databaseId: string
  readonly position: number
  readonly createdTime: number
}

const listedRow = rowOf({
  id: 'text',
  database_id: 'text',
  position: 'integer',
  created_time: 'integer',
})
type ListedRow = RowOf<typeof listedRow>

const LISTED = sql`select ${columnNames(listedRow, 'v')} from views v`

function listedFromRow(row: ListedRow): ListedView {
  return { id: row.id, databaseId: row.database_id, position: row.position, createdTime: row.created_time }
}

/** The condition of a list, worded like the condition of the partial index for it. */
function conditionOf({ databaseId, dataSourceId }: ViewScope): Sql {
  const tabs = databaseId === undefined ? [] : [sql`v.dashboard_id is null and v.database_id = ${databaseId}`]
  const ofSource = dataSourceId === undefined ? [] : [sql`v.data_source_id = ${dataSourceId} and v.type <> 'dashboard'`]
  return joinSql([...tabs, ...ofSource], ' and ')
}

/** The view of a list whose id is in a range. */
export async function findViewInRange(
  db: Connection,
  workspaceId: string,
  scope: ViewScope,
  { from, to }: IdRange,
): Promise<ListedView | undefined> {
  const row = await db.get(
    listedRow,
    sql`${LISTED} where v.workspace_id = ${workspaceId} and v.id >= ${from} and v.id <= ${to} and ${conditionOf(scope)} limit 1`,
  )
  return row && listedFromRow(row)
}

/** The views of a list by position. In a list across several databases, views with the same position are ordered by creation. */
export async function listViewsAfter(
  db: Connection,
  workspaceId: string,
  scope: ViewScope,
  after: ListedView | undefined,
  limit: number,
): Promise<ListedView[]> {
  // Positions are unique among the tabs of one database.
  const key = scope.databaseId === undefined ? sql`v.position, v.created_time, v.id` : sql`v.position, v.id`
  const values =
    after && (scope.databaseId === undefined ? [after.position, after.createdTime, after.id] : [after.position, after.id])
  const following = values ? sql`and (${key}) > (${valueList(values)})` : sql``
  const rows = await db.all(
    listedRow,
    sql`${LISTED} where v.workspace_id = ${workspaceId} and ${conditionOf(scope)} ${following} order by ${key} limit ${limit}`,
  )
  return rows.map(listedFromRow)
}

/** The number of tabs of a database, counted up to a limit. */
export async function countTabs(db: Connection, workspaceId: string, databaseId: string, limit: number): Promise<number> {
  const rows = await db.all(
    { id: 'text' },
    sql`select v.id from views v where v.workspace_id = ${workspaceId} and v.database_id = ${databaseId}
      and v.dashboard_id is null limit ${limit}`,
  )
  return rows.length
}

/** The position after the last tab of a database. */
export async function endOfTabs(db: Connection, workspaceId: string, databaseId: string): Promise<number> {
  const row = await db.get(
    { position: 'integer' },
    sql`select v.position from views v where v.workspace_id = ${workspaceId} and v.database_id = ${databaseId}
      and v.dashboard_id is null order by v.position desc, v.id desc limit 1`,
  )
  return (row?.position ?? -1) + 1
}

/** Makes room for a tab by moving the tabs at and after a position. */
export async function moveTabsFrom(db: Transaction, workspaceId: string, databaseId: string, position: number): Promise<void> {
  await db.run(
    sql`update views set position = position + 1
     where workspace_id = ${workspaceId} and database_id = ${databaseId} and dashboard_id is null and position >= ${position}`,
  )
}

export async function insertView(db: Transaction, workspaceId: string, view: View): Promise<void> {
  await db.run(
    sql`insert into views (workspace_id, id, database_id, data_source_id, dashboard_id, position, type, name, settings,
      created_time, created_by, last_edited_time, last_edited_by) values (${workspaceId}, ${view.id}, ${view.databaseId},
      ${view.dataSourceId}, ${view.dashboardId}, ${view.position}, ${view.type}, ${view.name}, ${JSON.stringify(view.settings)},
      ${view.createdTime}, ${view.createdBy}, ${view.lastEditedTime}, ${view.lastEditedBy})`,
  )
}

export async function updateViewRow(
  db: Transaction,
  workspaceId: string,
  { id, name, settings, lastEditedTime, lastEditedBy }: View,
): Promise<void> {
  await db.run(
    sql`update views set name = ${name}, settings = ${JSON.stringify(settings)}, last_edited_time = ${lastEditedTime},
      last_edited_by = ${lastEditedBy} where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** Deletes a view and the widgets on it. @returns the ids of all of them */
export async function deleteViewRows(db: Transaction, workspaceId: string, id: string): Promise<string[]> {
  const widgets = await db.all(
    { id: 'text' },
    sql`delete from views where workspace_id = ${workspaceId} and dashboard_id = ${id} returning id`,
  )
  await db.run(sql`delete from views where workspace_id = ${workspaceId} and id = ${id}`)
  return [id, ...widgets.map((widget) => widget.id)]
}
