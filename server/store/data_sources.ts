import type { Connection, Transaction } from './database.ts'
import { findBlocks, type Block } from './blocks.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf } from './row_shape.ts'
import { sql } from './sql.ts'
import { jsonColumns } from './stored/json_columns.ts'
import { readBlockContent, readJson, readNullableJson } from './stored/read_json.ts'

/** The stored data of a data source besides its block. */
interface DataSourceDetails {
  readonly description: unknown
  readonly icon: unknown
  /** The properties in order; the domain defines their forms. */
  readonly properties: readonly unknown[]
  /** The ids of deleted properties. They are not reused, because stored rows may still contain values under them. */
  readonly retired: readonly string[]
}

/** How many ids of deleted properties a data source keeps. Older ones are dropped. */
export const RETIRED_MAX = 2_000

export interface StoredDataSource extends DataSourceDetails {
  readonly block: Block
  /** Whether the properties cannot be read. In that case they consist of only a title, and must not be written back. */
  readonly isDamaged: boolean
}

const dataSourceRow = rowOf({
  id: 'text',
  description: 'text',
  icon: 'text?',
  properties: 'text',
  retired: 'text',
})

const TITLE_ALONE: unknown = jsonColumns['data_sources.properties'].instead

/** Data sources by id, with their blocks. */
export async function findDataSources(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, StoredDataSource>> {
  const found = new Map<string, StoredDataSource>()
  const [rows, blocks] = await Promise.all([
    findRowsById(db, dataSourceRow, 'data_sources', workspaceId, ids),
    findBlocks(db, workspaceId, ids),
  ])
  for (const row of rows) {
    const block = blocks.get(row.id)
    if (!block) continue
    const properties = readJson('data_sources.properties', row.id, row.properties) as unknown[]
    found.set(row.id, {
      block,
      isDamaged: properties === TITLE_ALONE,
      description: readJson('data_sources.description', row.id, row.description),
      icon: readNullableJson('data_sources.icon', row.id, row.icon),
      properties,
      retired: readJson('data_sources.retired', row.id, row.retired) as string[],
    })
  }
  return found
}

export interface ListedDataSource {
  readonly id: string
  readonly databaseId: string
  readonly title: unknown
  readonly inTrash: boolean
}

/** The data sources of databases, including those in the trash. Those of each database are in order. */
export async function listDataSources(
  db: Connection,
  workspaceId: string,
  databaseIds: readonly string[],
): Promise<ListedDataSource[]> {
  if (databaseIds.length === 0) return []
  const own = sql`b.workspace_id = ${workspaceId} and b.parent_id = wanted.id and b.type = 'data_source'`
  const rows = await db.all(
    { id: 'text', parent_id: 'text', content: 'text', in_trash: 'integer' },
    sql`select b.id, b.parent_id, b.content, b.in_trash from ${db.wanted(databaseIds)} ${db.lookUpEach('blocks', 'b', own)}
      order by b.parent_id, b.rank`,
  )
  return rows.map((row) => ({
    id: row.id,
    databaseId: row.parent_id,
    title: readBlockContent(row.id, 'data_source', row.content)?.['title'] ?? [],
    inTrash: Boolean(row.in_trash),
  }))
}

export async function insertDataSource(
  db: Transaction,
  workspaceId: string,
  id: string,
  { description, icon, properties, retired }: DataSourceDetails,
): Promise<void> {
  await db.run(
    sql`insert into data_sources (description, icon, properties, retired, workspace_id, id)
      values (${JSON.stringify(description)}, ${icon === null ? null : JSON.stringify(icon)}, ${JSON.stringify(properties)},
      ${JSON.stringify(retired)}, ${workspaceId}, ${id})`,
  )
  await db.run(
    sql`insert into data_source_counters (workspace_id, id, last_number, row_count) values (${workspaceId}, ${id}, 0, 0)`,
  )
}

/** Replaces the description and icon of a data source. */
export async function updateDataSourceTexts(
  db: Transaction,
  workspaceId: string,
  id: string,
  { description, icon }: Pick<DataSourceDetails, 'description' | 'icon'>,
): Promise<void> {
  await db.run(
    sql`update data_sources set description = ${JSON.stringify(description)},
      icon = ${icon === null ? null : JSON.stringify(icon)} where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** Replaces the properties of a data source. */
export async function updateColumns(
  db: Transaction,
  workspaceId: string,
  id: string,
  { properties, retired }: Pick<DataSourceDetails, 'properties' | 'retired'>,
): Promise<void> {
  await db.run(
    sql`update data_sources set properties = ${JSON.stringify(properties)}, retired = ${JSON.stringify(retired)}
      where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** The number of rows of a data source, including those in the trash. */
export async function countRows(db: Connection, workspaceId: string, id: string): Promise<number> {
  const row = await db.get(
    { row_count: 'integer' },
    sql`select row_count from data_source_counters where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row?.row_count ?? 0
}

/** Adds to the row count of a data source. @param change is negative for deleted rows */
export async function addToRowCount(db: Transaction, workspaceId: string, id: string, change: number): Promise<void> {
  await db.run(
    sql`update data_source_counters set row_count = row_count + ${change} where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** Allocates consecutive numbers of a data source, which are never reused. @returns the first number */
export async function allocateNumbers(db: Transaction, workspaceId: string, id: string, count: number): Promise<number> {
  await db.run(
    sql`update data_source_counters set last_number = last_number + ${count} where workspace_id = ${workspaceId} and id = ${id}`,
  )
  const row = await db.get(
    { last_number: 'integer' },
    sql`select last_number from data_source_counters where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return (row?.last_number ?? count) - count + 1
}
