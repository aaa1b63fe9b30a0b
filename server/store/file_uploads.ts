import type { IdRange } from '../kernel/cursors.ts'
import type { Connection, Transaction } from './database.ts'
import { findRowsById } from './rows_by_id.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'

const uploadModes = ['single_part', 'multi_part', 'external_url'] as const
const uploadStatuses = ['pending', 'uploaded', 'expired', 'failed'] as const
export type UploadStatus = (typeof uploadStatuses)[number]
const creatorKinds = ['person', 'bot', 'agent'] as const

/** Everything about an upload except its workspace and the state of its import. */
export const uploadRow = rowOf({
  id: 'text',
  actor_id: 'text',
  actor_kind: creatorKinds,
  mode: uploadModes,
  status: uploadStatuses,
  filename: 'text?',
  content_type: 'text?',
  /** Whether the caller named the type, rather than the extension of the name. */
  type_is_given: 'integer',
  content_length: 'integer?',
  parts_total: 'integer?',
  parts_sent: 'integer',
  external_url: 'text?',
  /** JSON. */
  import_result: 'text?',
  created_time: 'integer',
  last_edited_time: 'integer',
  /** When it expires; null once it cannot any more. */
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

/** An actor's upload in a range of ids. */
export async function findUploadInRange(
  db: Connection,
  workspaceId: string,
  actorId: string,
  { from, to }: IdRange,
): Promise<UploadRow | undefined> {
  const row = await db.get(
    uploadRow,
    sql`select ${COLUMNS} from file_uploads where workspace_id = ${workspaceId} and id >= ${from} and id <= ${to}
      and actor_id = ${actorId} limit 1`,
  )
  return row && { ...row }
}

/** What of an actor's uploads is wanted. */
interface UploadFilter {
  readonly actorId: string
  /** As it is at `now`: an upload past its expiry time counts as expired before anyone has written that down. */
  readonly status: UploadStatus | undefined
  readonly now: number
}

interface Position {
  readonly created_time: number
  readonly id: string
}

/** Where a part of the list begins: behind an upload, or with it. */
export interface Start {
  readonly upload: Position
  readonly isIncluded: boolean
}

/** An actor's uploads, newest first. @param start undefined for the beginning of the list */
export async function listUploadsFrom(
  db: Connection,
  workspaceId: string,
  { actorId, status, now }: UploadFilter,
  start: Start | undefined,
  limit: number,
): Promise<UploadRow[]> {
  const { upload, isIncluded } = start ?? {}
  const behind = upload
    ? sql`and (created_time, id) ${raw(isIncluded ? '<=' : '<')} (${upload.created_time}, ${upload.id})`
    : sql``
  const list = async (condition: Sql): Promise<UploadRow[]> => {
    const rows = await db.all(
      uploadRow,
      sql`select ${COLUMNS} from file_uploads where workspace_id = ${workspaceId} and actor_id = ${actorId} ${condition} ${behind}
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

/** Everything about an upload that changes after its creation. */
export async function updateUpload(db: Transaction, workspaceId: string, row: UploadRow): Promise<void> {
  await db.run(
    sql`update file_uploads set status = ${row.status}, filename = ${row.filename}, content_type = ${row.content_type},
      content_length = ${row.content_length}, parts_sent = ${row.parts_sent}, import_result = ${row.import_result},
       last_edited_time = ${row.last_edited_time}, expiry_due = ${row.expiry_due}
     where workspace_id = ${workspaceId} and id = ${row.id}`,
  )
}

/** From here on an upload never expires. */
export async function keepUpload(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run(sql`update file_uploads set expiry_due = null where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Uploads that have expired, of all workspaces. */
export async function listOverdueUploads(
  db: Connection,
  now: number,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly id: string }[]> {
  const rows = await db.all(
    { workspace_id: 'text', id: 'text' },
    sql`select workspace_id, id from file_uploads where expiry_due <= ${now} order by expiry_due limit ${limit}`,
  )
  return rows.map(({ workspace_id: workspaceId, id }) => ({ workspaceId, id }))
}
