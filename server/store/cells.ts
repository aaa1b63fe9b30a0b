import { yieldToEventLoop } from '../kernel/yield_to_event_loop.ts'
import type { Connection, Transaction } from './database.ts'
import { raw, sql, type Sql } from './sql.ts'

/** The index entry of a property value or of one of its elements. It has either a `numberKey` or a `textKey`. */
export interface CellKey {
  readonly numberKey?: number
  readonly endKey?: number
  readonly textKey?: string
  /** The text in lower case, possibly truncated. */
  readonly text?: string
  /** False if `text` is truncated or otherwise not enough to decide comparisons. */
  readonly isWhole?: boolean
}

export interface Cell extends CellKey {
  readonly propertyId: string
  readonly position: number
}

/** The row of a data source to which cells belong. */
export interface CellOwner {
  readonly pageId: string
  readonly dataSourceId: string
  readonly inTrash: boolean
  readonly createdTime: number
}

export async function insertCells(
  db: Transaction,
  workspaceId: string,
  cells: readonly { readonly owner: CellOwner; readonly cell: Cell }[],
): Promise<void> {
  if (cells.length === 0) return
  await db.insert({
    table: 'cells',
    columns: [
      'workspace_id',
      'page_id',
      'property_id',
      'position',
      'data_source_id',
      'in_trash',
      'tie',
      'number_key',
      'end_key',
      'text_key',
      'text',
      'is_whole',
    ],
    rows: cells.map(({ owner, cell }) => [
      workspaceId,
      owner.pageId,
      cell.propertyId,
      cell.position,
      owner.dataSourceId,
      Number(owner.inTrash),
      -owner.createdTime,
      cell.numberKey ?? null,
      cell.endKey ?? null,
      cell.textKey ?? null,
      cell.text ?? null,
      Number(cell.isWhole ?? true),
    ]),
  })
}

export async function deleteCells(db: Transaction, workspaceId: string, pageId: string, propertyId: string): Promise<void> {
  await db.run(sql`delete from cells where workspace_id = ${workspaceId} and page_id = ${pageId} and property_id = ${propertyId}`)
}

export async function deleteCellsOfPage(db: Transaction, workspaceId: string, pageId: string): Promise<void> {
  await db.run(sql`delete from cells where workspace_id = ${workspaceId} and page_id = ${pageId}`)
}

/** Updates the cells of a row that is moved to the trash or restored. */
export async function setCellsTrashed(db: Transaction, workspaceId: string, pageId: string, inTrash: boolean): Promise<void> {
  await db.run(sql`update cells set in_trash = ${Number(inTrash)} where workspace_id = ${workspaceId} and page_id = ${pageId}`)
}

/** Removes a deleted option from the index. */
export async function deleteCellsOfOption(
  db: Transaction,
  workspaceId: string,
  dataSourceId: string,
  propertyId: string,
  optionId: string,
): Promise<void> {
  for (const inTrash of [0, 1]) {
    await db.run(
      sql`delete from cells where workspace_id = ${workspaceId} and data_source_id = ${dataSourceId}
        and property_id = ${propertyId} and in_trash = ${raw(inTrash)} and text_key = ${optionId}`,
    )
  }
}

export interface Link {
  readonly position: number
  /** The target of the link. */
  readonly pageId: string
}

/** The links of a page in one relation, after a position, in order. */
export async function listLinks(
  db: Connection,
  workspaceId: string,
  pageId: string,
  propertyId: string,
  after: number,
  limit: number,
): Promise<Link[]> {
  const rows = await db.all(
    { position: 'integer', text_key: 'text' },
    sql`select position, text_key from cells where workspace_id = ${workspaceId} and page_id = ${pageId}
      and property_id = ${propertyId} and position > ${after} order by position limit ${limit}`,
  )
  return rows.map(({ position, text_key: linked }) => ({ position, pageId: linked }))
}

/** The position of a page's last link in a relation; -1 if there is none. */
export async function lastPosition(db: Connection, workspaceId: string, pageId: string, propertyId: string): Promise<number> {
  const row = await db.get(
    { last: 'integer?' },
    sql`select max(position) as last from cells where workspace_id = ${workspaceId} and page_id = ${pageId}
      and property_id = ${propertyId}`,
  )
  return row?.last ?? -1
}

/** Removes the links to a page from a relation of a row. */
export async function deleteLink(
  db: Transaction,
  workspaceId: string,
  owner: CellOwner,
  propertyId: string,
  linkedId: string,
): Promise<void> {
  await db.run(sql`delete from cells where ${oneLink(workspaceId, owner, propertyId, linkedId)}`)
}

const DELETED_AT_ONCE = 2_000

/** Removes a deleted property from the index, in batches. Other requests can run between two batches. */
export async function deleteCellsOfProperty(
  db: Transaction,
  workspaceId: string,
  dataSourceId: string,
  propertyId: string,
): Promise<void> {
  const key = 'workspace_id, page_id, property_id, position'
  for (const column of ['number_key', 'text_key']) {
    for (const inTrash of [0, 1]) {
      for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; await yieldToEventLoop()) {
        deleted = await db.change(
          sql`delete from cells where workspace_id = ${workspaceId} and (${raw(key)}) in (select ${raw(key)} from cells where workspace_id = ${workspaceId}
            and data_source_id = ${dataSourceId} and property_id = ${propertyId}
            and in_trash = ${raw(inTrash)} and ${raw(column)} is not null limit ${DELETED_AT_ONCE})`,
        )
      }
    }
  }
}

/** Whether a relation of a row has a link to a page. */
export async function isLinked(
  db: Connection,
  workspaceId: string,
  owner: CellOwner,
  propertyId: string,
  linkedId: string,
): Promise<boolean> {
  const link = oneLink(workspaceId, owner, propertyId, linkedId)
  return (await db.get({}, sql`select 1 as found from cells where ${link} limit 1`)) !== undefined
}

/**
 * Matches a link by the index of texts. A function call prevents the engines from using the primary key, by which they would read all links
 * of the row.
 */
function oneLink(
  workspaceId: string,
  { pageId, dataSourceId, inTrash, createdTime }: CellOwner,
  propertyId: string,
  linkedId: string,
): Sql {
  return sql`workspace_id = ${workspaceId} and data_source_id = ${dataSourceId} and property_id = ${propertyId}
    and in_trash = ${raw(Number(inTrash))} and text_key = ${linkedId} and tie = ${-createdTime} and coalesce(page_id, page_id) = ${pageId}`
}

/** The given pages whose relation has a link to a page. */
export async function pagesLinkedTo(
  db: Connection,
  workspaceId: string,
  pageIds: readonly string[],
  propertyId: string,
  linkedId: string,
): Promise<string[]> {
  if (pageIds.length === 0) return []
  const relation = sql`c.workspace_id = ${workspaceId} and c.page_id = wanted.id and c.property_id = ${propertyId}`
  const rows = await db.all(
    { id: 'text' },
    sql`select distinct c.page_id as id from ${db.wanted(pageIds)} ${db.lookUpEach('cells', 'c', relation)} where c.text_key = ${linkedId}`,
  )
  return rows.map(({ id }) => id)
}
