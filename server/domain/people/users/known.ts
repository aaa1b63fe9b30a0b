import { findKnownUsers, findPeopleByIdOrEmail, type UserRow } from '../../../store/users.ts'
import { defaultLevel, type Scope } from '../../shared/index.ts'

/** The given users that are visible to the caller: everyone in the workspace, except guests whose pages the caller cannot see. */
export function knownRows({ db, actor }: Scope, ids: readonly string[]): Promise<UserRow[]> {
  return findKnownUsers(db, actor, ids, defaultLevel('guest'))
}

/** The given ids that belong to users visible to the caller. */
export async function knownUsers(scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await knownRows(scope, ids)).map(({ id }) => id))
}

/** The ids of people visible to the caller, by id and by lower-case email address. */
export function knownPeople({ db, actor }: Scope): Promise<Map<string, string>> {
  return findPeopleByIdOrEmail(db, actor, defaultLevel('guest'))
}
