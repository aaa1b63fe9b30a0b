import type { IdRange } from '../kernel/cursors.ts'
import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'

const uploadModes = ['single_part', 'multi_part', 'external_url'] as const
const uploadStatuses = ['pending', 'uploaded', 'expired', 'failed'] as const
export type UploadStatus = (typeof uploadStatuses)[number]
const creatorKinds = ['person', 'bot', 'agent'] as const

const uploadRow = rowOf({
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

/** Everything about an upload except its workspace and the state of its import. */
export const UPLOAD_COLUMNS = `id, actor_id, actor_kind, mode, status, filename, content_type, type_is_given, content_length, parts_total, parts_sent,
  external_url, import_result, created_time, last_edited_time, expiry_due`
const COLUMNS_OF_U = UPLOAD_COLUMNS.replaceAll(/\w+/g, 'u.$&')

export async function insertUpload(db: Transaction, workspaceId: string, row: UploadRow): Promise<void> {
  await db.run(
    `insert into file_uploads (workspace_id, ${UPLOAD_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    workspaceId,
    row.id,
    row.actor_id,
    row.actor_kind,
    row.mode,
    row.status,
    row.filename,
    row.content_type,
    row.type_is_given,
    row.content_length,
    row.parts_total,
    row.parts_sent,
    row.external_url,
    row.import_result,
    row.created_time,
    row.last_edited_time,
    row.expiry_due,
  )
}

export async function findUpload(db: Connection, workspaceId: string, id: string): Promise<UploadRow | undefined> {
  const row = await db.get(
    uploadRow,
    `select ${UPLOAD_COLUMNS} from file_uploads where workspace_id = ? and id = ?`,
    workspaceId,
    id,
  )
  return row && { ...row }
}

export async function findUploads(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, UploadRow>> {
  if (ids.length === 0) return new Map()
  const wanted = db.wanted(ids)
  const rows = await db.all(
    uploadRow,
    `select ${COLUMNS_OF_U} from ${wanted.table} ${db.lookUp('file_uploads', 'u', 'u.workspace_id = ? and u.id = wanted.id')}`,
    wanted.parameter,
    workspaceId,
  )
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
    `select ${UPLOAD_COLUMNS} from file_uploads where workspace_id = ? and id >= ? and id <= ? and actor_id = ? limit 1`,
    workspaceId,
    from,
    to,
    actorId,
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
  const list = async (conditions: string, ...parameters: (string | number)[]): Promise<UploadRow[]> => {
    const rows = await db.all(
      uploadRow,
      `select ${UPLOAD_COLUMNS} from file_uploads where workspace_id = ? and actor_id = ?${conditions}
       ${start ? ` and (created_time, id) ${start.isIncluded ? '<=' : '<'} (?, ?)` : ''} order by created_time desc, id desc limit ?`,
      workspaceId,
      actorId,
      ...parameters,
      ...(start ? [start.upload.created_time, start.upload.id] : []),
      limit,
    )
    return rows.map((row) => ({ ...row }))
  }
  if (status === undefined) return list('')
  if (status === 'failed') return list(' and status = ?', status)
  if (status !== 'expired') return list(' and status = ? and (expiry_due is null or expiry_due > ?)', status, now)
  const rows = [
    ...(await list(' and status = ?', status)),
    ...(await list(' and expiry_due is not null and expiry_due <= ?', now)),
  ]
  return rows.toSorted(newestFirst).slice(0, limit)
}

function newestFirst(a: Position, b: Position): number {
  return b.created_time - a.created_time || (a.id < b.id ? 1 : -1)
}

/** Everything about an upload that changes after its creation. */
export async function updateUpload(db: Transaction, workspaceId: string, row: UploadRow): Promise<void> {
  await db.run(
    `update file_uploads set status = ?, filename = ?, content_type = ?, content_length = ?, parts_sent = ?, import_result = ?,
       last_edited_time = ?, expiry_due = ?
     where workspace_id = ? and id = ?`,
    row.status,
    row.filename,
    row.content_type,
    row.content_length,
    row.parts_sent,
    row.import_result,
    row.last_edited_time,
    row.expiry_due,
    workspaceId,
    row.id,
  )
}

/** From here on an upload never expires. */
export async function keepUpload(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.run('update file_uploads set expiry_due = null where workspace_id = ? and id = ?', workspaceId, id)
}

/** Uploads that have expired, of all workspaces. */
export async function listOverdueUploads(
  db: Connection,
  now: number,
  limit: number,
): Promise<{ readonly workspaceId: string; readonly id: string }[]> {
  const rows = await db.all(
    { workspace_id: 'text', id: 'text' },
    'select workspace_id, id from file_uploads where expiry_due <= ? order by expiry_due limit ?',
    now,
    limit,
  )
  return rows.map(({ workspace_id: workspaceId, id }) => ({ workspaceId, id }))
}
