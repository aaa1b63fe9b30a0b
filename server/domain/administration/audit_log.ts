import { newId } from '../../kernel/ids.ts'
import { insertAuditEntry } from '../../store/audit_log.ts'
import type { Transaction } from '../../store/database.ts'
import { listMemberships } from '../../store/members.ts'

/** What people can do in the console. */
export type AuditAction =
  | 'connection.access_removed'
  | 'personal_token.created'
  | 'personal_token.revoked'
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
  /** The name of what was changed. */
  readonly subject: string | null
}

/** Records what a person did. Call it in the transaction that makes the change. */
export function recordAct(db: Transaction, { workspaceId, personId, action, subject }: Act, now: number): Promise<void> {
  return insertAuditEntry(db, workspaceId, { id: newId(), created_time: now, person_id: personId, action, subject })
}

/** Records a change of an account in each workspace of the person. */
export async function recordAccountAct(db: Transaction, act: Omit<Act, 'workspaceId'>, now: number): Promise<void> {
  for (const { workspace_id: workspaceId } of await listMemberships(db, act.personId))
    await recordAct(db, { ...act, workspaceId }, now)
}
