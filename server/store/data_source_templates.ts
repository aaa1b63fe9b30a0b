import type { IdRange } from '../kernel/cursors.ts'
import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

/** A page whose content new rows of a data source can copy. */
export interface DataSourceTemplate {
  readonly id: string
  readonly isDefault: boolean
  readonly createdTime: number
}

const templateRow = rowOf({
  page_id: 'text',
  is_default: 'integer',
  created_time: 'integer',
})
type TemplateRow = RowOf<typeof templateRow>

function fromRow(row: TemplateRow): DataSourceTemplate {
  return { id: row.page_id, isDefault: Boolean(row.is_default), createdTime: row.created_time }
}

/** All templates of a data source, the oldest first. */
export async function listTemplates(db: Connection, workspaceId: string, dataSourceId: string): Promise<DataSourceTemplate[]> {
  const rows = await db.all(
    templateRow,
    sql`select page_id, is_default, created_time from data_source_templates
     where workspace_id = ${workspaceId} and data_source_id = ${dataSourceId} order by created_time, page_id`,
  )
  return rows.map(fromRow)
}

export async function findTemplateInRange(
  db: Connection,
  workspaceId: string,
  dataSourceId: string,
  range: IdRange,
): Promise<DataSourceTemplate | undefined> {
  const row = await db.get(
    templateRow,
    sql`select page_id, is_default, created_time from data_source_templates
     where workspace_id = ${workspaceId} and data_source_id = ${dataSourceId} and page_id between ${range.from} and ${range.to}`,
  )
  return row && fromRow(row)
}

/** Turns a row of a data source into one of its templates, of which at most one is the default. */
export async function insertTemplate(
  db: Transaction,
  workspaceId: string,
  dataSourceId: string,
  template: DataSourceTemplate,
): Promise<void> {
  if (template.isDefault) {
    await db.run(
      sql`update data_source_templates set is_default = 0 where workspace_id = ${workspaceId}
        and data_source_id = ${dataSourceId}`,
    )
  }
  await db.run(sql`update blocks set parent_type = 'template_of' where workspace_id = ${workspaceId} and id = ${template.id}`)
  await db.run(sql`delete from cells where workspace_id = ${workspaceId} and page_id = ${template.id}`)
  await db.run(
    sql`update data_source_counters set row_count = row_count - 1 where workspace_id = ${workspaceId} and id = ${dataSourceId}`,
  )
  await db.run(
    sql`insert into data_source_templates (workspace_id, data_source_id, page_id, is_default, created_time)
      values (${workspaceId}, ${dataSourceId}, ${template.id}, ${Number(template.isDefault)}, ${template.createdTime})`,
  )
}
