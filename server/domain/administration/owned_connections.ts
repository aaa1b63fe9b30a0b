import { findConnection, listConnectionsIn, type ConnectionKind, type ConnectionRecord } from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { recordAct, type AuditAction } from './audit_log.ts'
import { deleteConnection } from './connections.ts'
import { ownedWorkspaces } from './owned_webhooks.ts'

/** A connection as the owners of its workspace see it. */
export interface OwnedConnection {
  readonly record: ConnectionRecord
  readonly workspaceName: string | null
}

/** The newest connections of a kind in the workspaces that a person owns. */
export async function listOwnedConnections(
  db: Connection,
  personId: string,
  kind: ConnectionKind,
  limit: number,
): Promise<OwnedConnection[]> {
  const owned = await ownedWorkspaces(db, personId)
  const records = await listConnectionsIn(db, [...owned.keys()], kind, limit)
  return records.map((record) => ({ record, workspaceName: owned.get(record.workspaceId) ?? null }))
}

/** @returns undefined if it does not exist, is of another kind, or the person does not own its workspace */
export async function findOwnedConnection(
  db: Connection,
  personId: string,
  kind: ConnectionKind,
  id: string,
): Promise<OwnedConnection | undefined> {
  const owned = await ownedWorkspaces(db, personId)
  const record = await findConnection(db, id)
  if (record?.kind !== kind || !owned.has(record.workspaceId)) return undefined
  return { record, workspaceName: owned.get(record.workspaceId) ?? null }
}

/** Deletes a connection in all workspaces permanently. */
export async function deleteOwnedConnection(
  db: Transaction,
  personId: string,
  { record }: OwnedConnection,
  now: number,
): Promise<void> {
  await deleteConnection(db, record.id, now)
  await recordOnConnection(db, personId, record, 'connection.deleted', now)
}

/** Records what an owner did with a connection. */
export function recordOnConnection(
  db: Transaction,
  personId: string,
  { id, workspaceId, name }: Pick<ConnectionRecord, 'id' | 'workspaceId' | 'name'>,
  action: AuditAction,
  now: number,
): Promise<void> {
  return recordAct(db, { workspaceId, personId, action, object: { type: 'connection', id, name } }, now)
}
