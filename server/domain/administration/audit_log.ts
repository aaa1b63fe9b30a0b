import { AsyncLocalStorage } from 'node:async_hooks'
import { dropOldEntries, insertAuditEntry, type NewAuditEntry } from '../../store/audit_log.ts'
import type { DatabaseAccess, Transaction } from '../../store/database.ts'
import { listMemberships } from '../../store/members.ts'
import type { Actor } from '../shared/index.ts'

/** What people can do in the console. */
export type AuditAction =
  | 'connection.authorized'
  | 'connection.access_removed'
  | 'personal_token.created'
  | 'personal_token.revoked'
  | 'browser_session.started'
  | 'browser_session.ended'
  | 'password.changed'
  | 'agent_action.approved'
  | 'agent_action.rejected'
  | 'agent_turn.canceled'
  | 'webhook.delivery_sent'
  | 'webhook.paused'
  | 'webhook.resumed'
  | 'connection.created'
  | 'connection.deleted'
  | 'connection.redirect_uris_changed'
  | 'connection.secret_rotated'
  | 'connection.authorization_revoked'
  | 'connection.token_rotated'
  | 'connection.shared'
  | 'connection.unshared'
  | 'access_rule.set'
  | 'access_rule.removed'
  | 'share.removed'
  | 'member.invited'
  | 'member.role_changed'
  | 'member.removed'
  | 'group.created'
  | 'group.renamed'
  | 'group.member_added'
  | 'group.member_removed'

interface Act {
  readonly workspaceId: string
  readonly personId: string
  readonly action: AuditAction
  readonly object: AuditedObject
}

/** The request that people's acts come from. */
interface Origin {
  readonly requestId: string
  readonly remote: { readonly address: string }
}

const origins = new AsyncLocalStorage<Origin>()

/** The same database; acts that its transactions record come from this request. */
export function withOrigin<Access extends DatabaseAccess>(database: Access, origin: Origin): Access {
  // The context is entered inside the transaction: another writer may start the work of a queued one.
  return {
    ...database,
    write: (work, workspaceId) => database.write((db) => origins.run(origin, () => work(db)), workspaceId),
  }
}

/** Records what a person did. Call it in the transaction that makes the change. */
export function recordAct(db: Transaction, { workspaceId, personId, action, object }: Act, now: number): Promise<void> {
  const origin = origins.getStore()
  return insertAuditEntry(db, workspaceId, {
    created_time: now,
    person_id: personId,
    action,
    ...columnsOf(object),
    address: origin?.remote.address ?? null,
    request_id: origin?.requestId ?? null,
  })
}

/** Records a change of an account in each workspace of the person. */
export async function recordAccountAct(db: Transaction, act: Omit<Act, 'workspaceId'>, now: number): Promise<void> {
  for (const { workspace_id: workspaceId } of await listMemberships(db, act.personId))
    await recordAct(db, { ...act, workspaceId }, now)
}

/** A record that was changed. */
export interface AuditedObject {
  readonly type: string
  readonly id?: string | null | undefined
  readonly name?: string | null | undefined
}

/** What the command line did. */
export interface CommandAct {
  /** Null if it concerns the deployment, and not one workspace. */
  readonly workspaceId: string | null
  /** The command, such as `user create`. */
  readonly action: string
  readonly object: AuditedObject
}

/** Records a command. Call it in the transaction that makes the change. */
export function recordCommand(db: Transaction, { workspaceId, action, object }: CommandAct, now: number): Promise<void> {
  return insertAuditEntry(db, workspaceId, { created_time: now, action, ...columnsOf(object) })
}

/** A request that has changed something. */
export interface AuditedWrite {
  readonly actor: Pick<Actor, 'workspaceId' | 'userId' | 'connectionId'>
  readonly operationId: string
  readonly object: AuditedObject | undefined
  readonly requestId: string
  readonly address: string
}

/** Records a request. Call it in the transaction that makes the changes. */
export function recordWrite(
  db: Transaction,
  { actor: { workspaceId, userId, connectionId }, operationId, object, requestId, address }: AuditedWrite,
  now: number,
): Promise<void> {
  return insertAuditEntry(db, workspaceId, {
    created_time: now,
    ...(connectionId === undefined ? { person_id: userId } : { bot_id: userId }),
    action: operationId,
    ...(object && columnsOf(object)),
    address,
    request_id: requestId,
  })
}

function columnsOf({
  type,
  id = null,
  name = null,
}: AuditedObject): Pick<NewAuditEntry, 'object_type' | 'object_id' | 'object_name'> {
  return { object_type: type, object_id: id, object_name: name }
}

/** Deletes entries up to a time. @returns the number of entries */
export const sweepEntries = dropOldEntries
