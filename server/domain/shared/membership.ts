import type { AccessLevel } from '../../store/access.ts'
import type { Connection } from '../../store/database.ts'
import { isInTokenGroup, type Role } from '../../store/members.ts'

export const roles: readonly Role[] = ['owner', 'member', 'restricted', 'guest']

/** A role from its stored text. Unknown roles have the fewest permissions. */
export function roleOf(text: string | null): Role {
  return roles.find((role) => role === text) ?? 'guest'
}

/**
 * Guests and restricted members see only what was shared with them, and can neither have personal tokens nor install connections.
 */
export function isFullMember(role: Role): boolean {
  return role === 'owner' || role === 'member'
}

/** The permission of a member for an item without access rules. */
export function defaultLevel(role: Role): AccessLevel {
  return isFullMember(role) ? 'full' : 'none'
}

/** Whether the policy of the workspace allows a member to have personal tokens. If not, existing tokens do not work. */
export async function holdsTokens(
  db: Connection,
  workspaceId: string,
  userId: string,
  role: Role,
  policy: 'owners' | 'groups' | 'members',
): Promise<boolean> {
  if (!isFullMember(role)) return false
  if (role === 'owner' || policy === 'members') return true
  return policy === 'groups' && isInTokenGroup(db, workspaceId, userId)
}

/** Whether a member may authorize public connections in a workspace. */
export function mayInstall(role: Role, installers: 'owners' | 'members'): boolean {
  return role === 'owner' || (role === 'member' && installers === 'members')
}
