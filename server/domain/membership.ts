import type { AccessLevel } from '../store/access.ts'
import type { Connection } from '../store/database.ts'
import { isInTokenGroup, type Role } from '../store/members.ts'

export const roles: readonly Role[] = ['owner', 'member', 'restricted', 'guest']

/** A stored role; anything unknown has the least rights. */
export function roleOf(text: string | null): Role {
  return roles.find((role) => role === text) ?? 'guest'
}

/** Guests and restricted members see only what was shared with them, and neither hold tokens nor install connections. */
export function isFullMember(role: Role): boolean {
  return role === 'owner' || role === 'member'
}

/** What a member may do with an item that no rule speaks about. */
export function defaultLevel(role: Role): AccessLevel {
  return isFullMember(role) ? 'full' : 'none'
}

/** Whether the workspace's policy lets a member have personal tokens, and lets those it has work. */
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
