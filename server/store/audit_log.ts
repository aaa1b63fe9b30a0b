import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

const auditLogRow = rowOf({
  id: 'text',
  created_time: 'integer',
  /** The person who did it. */
  person_id: 'text',
  action: 'text',
  /** The name that the changed thing had at that time. */
  subject: 'text?',
})
export type AuditLogRow = RowOf<typeof auditLogRow>

/** The entries of a workspace, newest first. */
export async function listAuditLog(db: Connection, workspaceId: string, limit: number): Promise<AuditLogRow[]> {
  return db.all(
    auditLogRow,
    sql`select ${columnNames(auditLogRow)} from audit_log where workspace_id = ${workspaceId}
      order by created_time desc, id desc limit ${limit}`,
  )
}

export async function insertAuditEntry(db: Transaction, workspaceId: string, row: AuditLogRow): Promise<void> {
  await db.run(
    sql`insert into audit_log (workspace_id, id, created_time, person_id, action, subject)
      values (${workspaceId}, ${row.id}, ${row.created_time}, ${row.person_id}, ${row.action}, ${row.subject})`,
  )
}
