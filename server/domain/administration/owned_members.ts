import { stateError } from '../../kernel/errors.ts'
import { findAccountByEmail, findLastSignIns } from '../../store/accounts.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { findMember, hasOwner, listMembers, type MemberRow, type Role } from '../../store/members.ts'
import { recordAct } from './audit_log.ts'
import { explainRefusal, requireOwnedMember, type OwnedWorkspace } from './owned_workspace.ts'
import { changeRole, createPerson, createSignInLink, normalEmail, removePerson, type SignInLink } from './people.ts'

const INVITATION_MS = 24 * 60 * 60 * 1000

/** A member as the owners of the workspace see it. */
export interface OwnedMember {
  readonly row: MemberRow
  /** In milliseconds since 1970; undefined if it is unknown. */
  readonly lastSignInTime: number | undefined
  readonly isLastOwner: boolean
}

/** The members, without those who have left, in the order in which they joined. */
export async function listOwnedMembers(db: Connection, { workspaceId }: OwnedWorkspace): Promise<OwnedMember[]> {
  const rows = (await listMembers(db, workspaceId)).filter(({ left_time: time }) => time === null)
  const times = await findLastSignIns(
    db,
    rows.map(({ id }) => id),
  )
  const ownersCount = rows.filter(({ role }) => role === 'owner').length
  return rows.map((row) => ({
    row,
    lastSignInTime: times.get(row.id),
    isLastOwner: row.role === 'owner' && ownersCount === 1,
  }))
}

interface NewMember {
  readonly email: string
  readonly name: string
  readonly role: Role
}

/**
 * Adds a person with a new account, or a former member.
 * @returns the link for a new account. Other people get none: a link would let the owner sign in as somebody who can see more.
 * @throws ServiceError if the person is a member, or has an account but was never a member
 */
export async function inviteOwned(
  db: Transaction,
  { workspaceId, personId }: OwnedWorkspace,
  { email: text, name, role }: NewMember,
  now: number,
): Promise<{ email: string; link: SignInLink | undefined }> {
  const email = await Promise.resolve(text).then(normalEmail).catch(explainRefusal)
  const account = await findAccountByEmail(db, email)
  // An owner must not get hold of an account that may belong to other workspaces.
  if (account && !(await findMember(db, workspaceId, account.id)))
    throw stateError(
      `${email} has an account on this service already. Ask its operator to run: workspace-service user create ${email}`,
    )
  const id = await createPerson(db, { workspaceId, email, name, role }, now).catch(explainRefusal)
  const object = { type: 'user', id, name: `${email}: ${role}` }
  await recordAct(db, { workspaceId, personId, action: 'member.invited', object }, now)
  return { email, link: account ? undefined : await createSignInLink(db, email, now, INVITATION_MS) }
}

/** @throws ServiceError if there is no such member, or the workspace would be without an owner */
export async function changeOwnedRole(
  db: Transaction,
  owned: OwnedWorkspace,
  id: string,
  role: Role,
  now: number,
): Promise<void> {
  const { workspaceId, personId } = owned
  const member = await requireOwnedMember(db, owned, id)
  if (member.role === role) return
  await changeRole(db, workspaceId, id, role)
  await requireAnOwner(db, workspaceId)
  const object = { type: 'user', id, name: `${member.email ?? id}: ${role}` }
  await recordAct(db, { workspaceId, personId, action: 'member.role_changed', object }, now)
}

/** Ends a membership. @throws ServiceError as `changeOwnedRole` does */
export async function removeOwned(db: Transaction, owned: OwnedWorkspace, id: string, now: number): Promise<void> {
  const { workspaceId, personId } = owned
  const member = await requireOwnedMember(db, owned, id)
  await removePerson(db, workspaceId, id, now)
  await requireAnOwner(db, workspaceId)
  const object = { type: 'user', id, name: member.email }
  await recordAct(db, { workspaceId, personId, action: 'member.removed', object }, now)
}

async function requireAnOwner(db: Transaction, workspaceId: string): Promise<void> {
  if (await hasOwner(db, workspaceId)) return
  throw stateError('The workspace would be without an owner. Make another member an owner first.')
}
