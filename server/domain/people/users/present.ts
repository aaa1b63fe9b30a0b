import type { PartialUser, PersonUser, User, UserValue } from '../../../../generated/types.ts'
import type { UserRow } from '../../../store/users.ts'
import { userDetail, type Actor, type UserDetail } from '../../shared/index.ts'

export function partialUser(id: string): PartialUser {
  return { object: 'user', id }
}

/** A user inside content: partial if the caller may not read user information. Bots are presented there without their details. */
export function presentUserValue(row: UserRow, actor: Actor): UserValue {
  return userDetail(actor) === 'none' ? partialUser(row.id) : presentUser(row, actor)
}

/**
 * A complete user. It includes the email address if the caller may read those. The details of the caller's own bot are added by the user
 * endpoints.
 */
export function presentUser(row: UserRow, actor: Actor): User {
  if (row.kind === 'bot') {
    const bot = row.connection_id === null ? { agent_id: row.id } : {}
    return { object: 'user', id: row.id, name: row.name, avatar_url: row.avatar_url, type: 'bot', bot }
  }
  return presentFullPerson(row, userDetail(actor) === 'with_email')
}

/** A person at one of the three levels of user information. */
export function presentPerson(row: UserRow, detail: UserDetail): PersonUser | PartialUser {
  return detail === 'none' ? partialUser(row.id) : presentFullPerson(row, detail === 'with_email')
}

function presentFullPerson(row: UserRow, showsEmail: boolean): PersonUser {
  const person = showsEmail && row.email !== null ? { email: row.email } : {}
  return { object: 'user', id: row.id, name: row.name, avatar_url: row.avatar_url, type: 'person', person }
}
