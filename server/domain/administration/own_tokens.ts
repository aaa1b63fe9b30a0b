import type { Connection, Transaction } from '../../store/database.ts'
import { listMemberships } from '../../store/members.ts'
import { findOwnToken, listOwnTokenRows, revokeTokenById, type OwnTokenRow } from '../../store/tokens.ts'
import { recordAct, type AuditedObject } from './audit_log.ts'
import { createPersonalToken, type PersonalToken, type PersonalTokenDays } from './tokens.ts'

/** A valid personal token, as its person sees it. */
export interface OwnToken extends OwnTokenRow {
  readonly workspaceId: string
  readonly workspaceName: string | null
}

/** The valid personal tokens of a person, the newest first. */
export async function listOwnTokens(db: Connection, personId: string, now: number): Promise<OwnToken[]> {
  const found: OwnToken[] = []
  for (const { workspace_id: workspaceId, workspace_name: workspaceName } of await listMemberships(db, personId)) {
    const rows = await listOwnTokenRows(db, workspaceId, personId, now)
    found.push(...rows.map((row) => ({ ...row, workspaceId, workspaceName })))
  }
  return found.toSorted((one, other) => other.created_time - one.created_time)
}

interface NewOwnToken {
  readonly workspaceId: string
  readonly personId: string
  readonly name: string
  readonly days: PersonalTokenDays
}

/** Makes a personal token for its person. @throws AdministrationError as `createPersonalToken` */
export async function createOwnToken(db: Transaction, settings: NewOwnToken, now: number): Promise<PersonalToken> {
  const made = await createPersonalToken(db, settings, now)
  const { workspaceId, personId, name } = settings
  await recordAct(db, { workspaceId, personId, action: 'personal_token.created', object: tokenNamed(made.id, name) }, now)
  return made
}

/** Revokes a personal token of a person. @returns whether there was one */
export async function revokeOwnToken(
  db: Transaction,
  personId: string,
  { workspaceId, tokenId }: { readonly workspaceId: string; readonly tokenId: string },
  now: number,
): Promise<boolean> {
  const token = await findOwnToken(db, workspaceId, personId, tokenId)
  if (!token || !(await revokeTokenById(db, tokenId, now))) return false
  await recordAct(db, { workspaceId, personId, action: 'personal_token.revoked', object: tokenNamed(tokenId, token.name) }, now)
  return true
}

function tokenNamed(id: string, name: string | null): AuditedObject {
  return { type: 'personal_token', id, name }
}
