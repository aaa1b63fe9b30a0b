import type { IdRange } from '../kernel/cursors.ts'
import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'

/** A page that new rows of a data source can begin with. */
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
    `select page_id, is_default, created_time from data_source_templates
     where workspace_id = ? and data_source_id = ? order by created_time, page_id`,
    workspaceId,
    dataSourceId,
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
    `select page_id, is_default, created_time from data_source_templates
     where workspace_id = ? and data_source_id = ? and page_id between ? and ?`,
    workspaceId,
    dataSourceId,
    range.from,
    range.to,
  )
  return row && fromRow(row)
}

/** Makes a row of a data source one of its templates: it is no row any more. At most one is the default. */
export async function insertTemplate(
  db: Transaction,
  workspaceId: string,
  dataSourceId: string,
  template: DataSourceTemplate,
): Promise<void> {
  if (template.isDefault) {
    await db.run(
      'update data_source_templates set is_default = 0 where workspace_id = ? and data_source_id = ?',
      workspaceId,
      dataSourceId,
    )
  }
  await db.run(`update blocks set parent_type = 'template_of' where workspace_id = ? and id = ?`, workspaceId, template.id)
  await db.run('delete from cells where workspace_id = ? and page_id = ?', workspaceId, template.id)
  await db.run(
    'update data_source_counters set row_count = row_count - 1 where workspace_id = ? and id = ?',
    workspaceId,
    dataSourceId,
  )
  await db.run(
    `insert into data_source_templates (workspace_id, data_source_id, page_id, is_default, created_time) values (?, ?, ?, ?, ?)`,
    workspaceId,
    dataSourceId,
    template.id,
    Number(template.isDefault),
    template.createdTime,
  )
}
