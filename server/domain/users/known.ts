import { findUsers } from '../../store/users.ts'
import { roleOf } from '../membership.ts'
import type { Scope } from '../scope.ts'
import { sharesPageWith } from './guests.ts'

/** Those of the ids that name a user whom the caller may name: anybody of the workspace, guests of other pages aside. */
export async function knownUsers(scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const row of await findUsers(scope.db, scope.actor.workspaceId, ids)) {
    const isGuest = row.kind === 'person' && roleOf(row.role) === 'guest'
    if (!isGuest || (await sharesPageWith(scope, row.id))) known.add(row.id)
  }
  return known
}
