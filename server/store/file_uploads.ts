import type { Connection, Transaction } from './database.ts'
import { findRowsById } from './rows_by_id.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { sql, type Sql } from './sql.ts'
import { IN_ACTIVE_WORKSPACE } from './workspaces.ts'

const uploadModes = ['single_part', 'multi_part', 'external_url'] as const
const uploadStatuses = ['pending', 'uploaded', 'expired', 'failed'] as const
export type UploadStatus = (typeof uploadStatuses)[number]
const creatorKinds = ['person', 'bot', 'agent'] as const

/** An upload, without its workspace. */
export const uploadRow = rowOf({
  id: 'text',
  actor_id: 'text',
  actor_kind: creatorKinds,
  mode: uploadModes,
  status: uploadStatuses,
  filename: 'text?',
  content_type: 'text?',
  /** 0 or 1: whether the caller specified the content type. If not, it follows from the extension of the file name. */
  type_is_given: 'integer',
  content_length: 'integer?',
  parts_total: 'integer?',
  parts_sent: 'integer',
  external_url: 'text?',
  /** The result of the import, as JSON. */
  import_result: 'text?',
  created_time: 'integer',
  last_edited_time: 'integer',
  /** When the upload expires; null if it can no longer expire. */
  expiry_due: 'integer?',
})
export type UploadRow = RowOf<typeof uploadRow>

const COLUMNS = columnNames(uploadRow)

export async function insertUpload(db: Transaction, workspaceId: string, row: UploadRow): Promise<void> {
  await db.run(
    sql`insert into file_uploads (workspace_id, ${COLUMNS}) values (${workspaceId}, ${row.id}, ${row.actor_id},
      ${row.actor_kind}, ${row.mode}, ${row.status}, ${row.filename}, ${row.content_type}, ${row.type_is_given},
      ${row.content_length}, ${row.parts_total}, ${row.parts_sent}, ${row.external_url}, ${row.import_result},
      ${row.created_time}, ${row.last_edited_time}, ${row.expiry_due})`,
  )
}

export async function findUpload(db: Connection, workspaceId: string, id: string): Promise<UploadRow | undefined> {
  const row = await db.get(uploadRow, sql`select ${COLUMNS} from file_uploads where workspace_id = ${workspaceId} and id = ${id}`)
  return row && { ...row }
}

export async function findUploads(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, UploadRow>> {
  const rows = await findRowsById(db, uploadRow, 'file_uploads', workspaceId, ids)
  return new Map(rows.map((row) => [row.id, { ...row }]))
}

interface UploadFilter {
  readonly actorId: string
  /** The status at `now`: an upload past its expiry time counts as expired, even if the sweep has not updated it yet. */
  readonly status: UploadStatus | undefined
  readonly now: number
}

export interface Position {
  readonly created_time: number
  readonly id: string
}

/** The uploads of an actor, newest first. @param start the first upload to return; undefined for the beginning of the list */
export async function listUploadsFrom(
  db: Connection,
  workspaceId: string,
  { actorId, status, now }: UploadFilter,
  start: Position | undefined,
  limit: number,
): Promise<UploadRow[]> {
  const following = start ? sql`and (created_time, id) <= (${start.created_time}, ${start.id})` : sql``
  const list = async (condition: Sql): Promise<UploadRow[]> => {
    const rows = await db.all(
      uploadRow,
      sql`select ${COLUMNS} from file_uploads where workspace_id = ${workspaceId} and actor_id = ${actorId} ${condition} ${following}
        order by created_time desc, id desc limit ${limit}`,
    )
    return rows.map((row) => ({ ...row }))
  }
  if (status === undefined) return list(sql``)
  if (status === 'failed') return list(sql`and status = ${status}`)
  if (status !== 'expired') return list(sql`and status = ${status} and (expiry_due is null or expiry_due > ${now})`)
  const rows = [
    ...(await list(sql`and status = ${status}`)),
    ...(await list(sql`and expiry_due is not null and expiry_due <= ${now}`)),
  ]
  return rows.toSorted(newestFirst).slice(0, limit)
}

function newestFirst(a: Position, b: Position): number {
  return b.created_time - a.created_time || (a.id < b.id ? 1 : -1)
}

/** Stores the fields of an upload that can change. */
export async function updateUpload(db: Transaction, workspaceId: string, row: UploadRow): Promise<void> {
  await db.run(
    sql`update file_uploads set status = ${row.status}, filename = ${row.filename}, content_type = ${row.content_type},
      content_length = ${row.content_length}, parts_sent = ${row.parts_sent}, import_result = ${row.import_result},
       last_edited_time = ${row.last_edited_time}, expiry_due = ${row.expiry_due}
     where workspace_id = ${workspaceId} and id = ${row.id}`,
  )
}

/** Makes an upload permanent. */
export async function keepUpload(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run(sql`update file_uploads set expiry_due = null where workspace_id = ${workspaceId} and id = ${id}`)
}

/** The uploads of all active workspaces whose expiry time has passed, the earliest first. */
export async function listOverdueUploads(
  db: Connection,
  now: number,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly id: string }[]> {
  const rows = await db.all(
    { workspace_id: 'text', id: 'text' },
    sql`select workspace_id, id from file_uploads where expiry_due <= ${now} and ${IN_ACTIVE_WORKSPACE}
      order by expiry_due limit ${limit}`,
  )
  return rows.map(({ workspace_id: workspaceId, id }) => ({ workspaceId, id }))
}
