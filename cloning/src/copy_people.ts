import {
  addEmoji,
  listEmojis,
  nearestName,
  createPerson,
  normalEmail,
} from '@workspace-service/server/domain/administration/index.ts'
import { AdministrationError, type Transaction } from '@workspace-service/server/domain/shared/index.ts'
import { idsOf, withChosenIds } from '@workspace-service/server/kernel/ids.ts'
import { findAccount, findAccountByEmail } from '@workspace-service/server/store/accounts.ts'
import { findMember } from '@workspace-service/server/store/members.ts'
import { isNotServed, type CloneContext } from './clone_context.ts'
import type { CloneHead } from './progress_file.ts'

/** A member of the clone. */
export interface ClonedPerson {
  readonly id: string
  readonly name: string
}

type PeopleContext = Pick<CloneContext, 'source' | 'target' | 'progress'>

/**
 * Creates accounts for the people of the source, under their ids unless they have an account here; no operation of the API does that.
 * Without their email addresses they cannot become members.
 * @returns the members, by their ids in the source
 */
export async function copyPeople(
  { source, target, progress }: PeopleContext,
  head: CloneHead,
): Promise<Map<string, ClonedPerson>> {
  const { workspaceId } = head
  const people = new Map<string, ClonedPerson>()
  const add = async (id: string, name: string, email: string, avatarUrl: string | null): Promise<void> => {
    const person = { workspaceId, email, name, role: 'member', avatarUrl, id } as const
    people.set(id, { id: await target.service.database.write((db) => memberId(db, person)), name })
  }
  try {
    for await (const user of source.users.list()) {
      if (!('person' in user)) continue
      const email = 'email' in user.person ? user.person.email : undefined
      const refusal =
        email === undefined
          ? 'The token may not read their email addresses.'
          : await refusalBy(() => add(user.id, nearestName(user.name ?? '', email), email, user.avatar_url))
      if (refusal !== undefined) progress.leaveOut('person', user.id, refusal)
    }
  } catch (error) {
    if (!isNotServed(error)) throw error
    progress.leaveOut('people', head.source, 'The token may not list them.')
  }
  return people
}

/** The id of a member, who may exist already: as the owner of the clone, or because an interrupted run created it. */
async function memberId(db: Transaction, person: Parameters<typeof createPerson>[1]): Promise<string> {
  const account = await findAccountByEmail(db, normalEmail(person.email))
  const member = account && (await findMember(db, person.workspaceId, account.id))
  if (account && member?.left_time === null) return account.id
  // A person whose email address has changed since an earlier clone already has their id.
  const { id, ...others } = person
  const isFree = id !== undefined && (await findAccount(db, id)) === undefined
  return createPerson(db, isFree ? person : others, Date.now())
}

/**
 * Adds the custom emojis of the source, keeping their ids.
 * @returns the ids of the emojis in the clone
 */
export async function copyEmojis({ source, target, progress }: PeopleContext, head: CloneHead): Promise<Set<string>> {
  const { workspaceId } = head
  const { database } = target.service
  const made = new Set(idsOf(await database.read((db) => listEmojis(db, workspaceId))))
  try {
    for await (const { id, name, url } of source.customEmojis.list()) {
      if (made.has(id)) continue
      const add = (db: Transaction): Promise<unknown> => addEmoji(db, workspaceId, name, url, Date.now())
      const refusal = await refusalBy(() => withChosenIds({ custom_emoji: [id] }, () => database.write(add)))
      if (refusal === undefined) made.add(id)
      else progress.leaveOut('custom emoji', id, refusal)
    }
  } catch (error) {
    if (!isNotServed(error)) throw error
    progress.leaveOut('custom emojis', head.source, 'The server does not list them.')
  }
  return made
}

/** The reason for a refusal; undefined if it was accepted. */
async function refusalBy(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof AdministrationError) return error.message
    throw error
  }
}
