import { findKnownUsers, findPeopleByIdOrEmail, type UserRow } from '../../store/users.ts'
import { defaultLevel } from '../membership.ts'
import type { Scope } from '../scope.ts'

/** Those of the users whom the caller may know: anyone of the workspace, guests of other pages aside. */
export function knownRows({ db, actor }: Scope, ids: readonly string[]): Promise<UserRow[]> {
  return findKnownUsers(db, actor, ids, defaultLevel('guest'))
}

/** Those of the ids that name a user whom the caller may name. */
export async function knownUsers(scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await knownRows(scope, ids)).map(({ id }) => id))
}

/** People whom the caller may know, by id and by lower-case e-mail address. */
export function knownPeople({ db, actor }: Scope): Promise<Map<string, string>> {
  return findPeopleByIdOrEmail(db, actor, defaultLevel('guest'))
}
