import { randomUUID } from 'node:crypto'
import type { Connection, Transaction } from '../../server/store/database.ts'
import { listDueObjects } from '../../server/store/file_objects.ts'
import { listParts } from '../../server/store/file_parts.ts'
import { findUpload, findUploads, listOverdueUploads, listUploadsFrom } from '../../server/store/file_uploads.ts'

export interface PlantedUploads {
  readonly actorId: string
  readonly middle: { readonly id: string; readonly created_time: number }
}

/** Uploads of one actor, attached, each with one part. */
export async function plantUploads(db: Transaction, workspaceId: string, count: number): Promise<PlantedUploads> {
  const actorId = randomUUID()
  const ids = Array.from({ length: count }, () => randomUUID())
  await db.insert({
    table: 'file_uploads',
    columns: [
      'workspace_id',
      'id',
      'actor_id',
      'actor_kind',
      'mode',
      'status',
      'type_is_given',
      'created_time',
      'last_edited_time',
    ],
    rows: ids.map((id, index) => [workspaceId, id, actorId, 'bot', 'single_part', 'uploaded', 0, index, index]),
  })
  await db.insert({
    table: 'file_parts',
    columns: ['workspace_id', 'upload_id', 'number', 'object_workspace_id', 'object_id', 'byte_length'],
    rows: ids.map((id) => [workspaceId, id, 1, workspaceId, id, 1]),
  })
  await db.insert({
    table: 'file_objects',
    columns: ['workspace_id', 'id', 'drop_time'],
    rows: ids.map((id) => [workspaceId, id, null]),
  })
  return { actorId, middle: { id: ids[count / 2] ?? '', created_time: count / 2 } }
}

type Statement = (db: Connection, planted: { readonly uploads: PlantedUploads }) => Promise<unknown>

/** Statements about uploads, their parts and their bytes. */
export function uploadStatements(workspaceId: string): Record<string, Statement> {
  return {
    'one upload': (db, { uploads }) => findUpload(db, workspaceId, uploads.middle.id),
    'uploads of content': (db, { uploads }) => findUploads(db, workspaceId, [uploads.middle.id]),
    'first 50 uploads': (db, { uploads: { actorId } }) =>
      listUploadsFrom(db, workspaceId, { actorId, status: undefined, now: 0 }, undefined, 50),
    '50 uploads of one state': (db, { uploads: { actorId, middle } }) =>
      listUploadsFrom(db, workspaceId, { actorId, status: 'uploaded', now: 0 }, middle, 50),
    'uploads that have expired': (db, { uploads: { actorId } }) =>
      listUploadsFrom(db, workspaceId, { actorId, status: 'expired', now: 9_999 }, undefined, 50),
    'the parts of a file': (db, { uploads }) => listParts(db, workspaceId, uploads.middle.id),
    'uploads that are overdue': (db) => listOverdueUploads(db, 9_999, 200),
    'bytes that are to go': (db) => listDueObjects(db, 9_999, 200),
  }
}
