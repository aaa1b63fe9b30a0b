import { ServiceError, stateError } from '../../kernel/errors.ts'
import type { Connection } from '../../store/database.ts'
import { findMember, listMemberships, type MemberRow } from '../../store/members.ts'
import { AdministrationError, roleOf } from '../shared/index.ts'

/** A workspace and the owner who manages it. */
export interface OwnedWorkspace {
  readonly workspaceId: string
  /** The id of the owner. */
  readonly personId: string
}

/** @throws ServiceError `object_not_found` if there is no such workspace, or the person does not own it */
export async function requireOwned(db: Connection, personId: string, workspaceId: string): Promise<OwnedWorkspace> {
  const memberships = await listMemberships(db, personId)
  const isOwned = memberships.some(({ workspace_id: id, role }) => id === workspaceId && roleOf(role) === 'owner')
  if (!isOwned) throw new ServiceError('object_not_found', { message: 'There is no workspace with this id that you own.' })
  return { workspaceId, personId }
}

/** @throws ServiceError `object_not_found` if there is no such member, or the member has left */
export async function requireOwnedMember(db: Connection, { workspaceId }: OwnedWorkspace, id: string): Promise<MemberRow> {
  const member = await findMember(db, workspaceId, id)
  if (member && member.left_time === null) return member
  throw new ServiceError('object_not_found', { message: 'The workspace has no such member. Reload the page.' })
}

/** The error of a request for which the administration of the workspace gives a reason. Use it as the handler of a rejection. */
export function explainRefusal(thrown: unknown): never {
  throw thrown instanceof AdministrationError ? stateError(thrown.message) : thrown
}
