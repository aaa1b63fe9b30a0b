import { newId } from '../../kernel/ids.ts'
import { isTimeZone } from '../../kernel/time_zones.ts'
import { deleteSessionsOf, findAccountByEmail, insertAccount, insertSignInLink, storePassword } from '../../store/accounts.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { findMember, setLeft, setRole, type MemberRow, type Role } from '../../store/members.ts'
import { tokenDigest } from '../../store/tokens.ts'
import { insertUser, setTimeZone } from '../../store/users.ts'
import { passwordRules, hashPassword } from '../people/index.ts'
import { newSecret, AdministrationError } from '../shared/index.ts'
import { requireName } from './names.ts'

interface NewPerson {
  readonly workspaceId: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly avatarUrl?: string | null
  /** A fixed id, for a person without an account. */
  readonly id?: string
}

const EMAIL = /^[^\s@]+@[^\s@]+$/
const EMAIL_LENGTH_MAX = 200
const LINK_MS = 60 * 60 * 1000

/**
 * Adds a person to a workspace. An existing account with the address is used; a former member is restored.
 * @returns the person's id, which is the same in every workspace
 */
export async function createPerson(db: Transaction, settings: NewPerson, now: number): Promise<string> {
  const email = normalEmail(settings.email)
  const account = await findAccountByEmail(db, email)
  const id = account?.id ?? settings.id ?? newId()
  if (!account) await insertAccount(db, { id, email, password: null }, now)
  const member = await findMember(db, settings.workspaceId, id)
  if (member && member.left_time === null) throw new AdministrationError(`${email} is already a member.`)
  if (member) {
    await setLeft(db, settings.workspaceId, id, null)
    await setRole(db, settings.workspaceId, id, settings.role)
    return id
  }
  await insertUser(db, settings.workspaceId, {
    id,
    kind: 'person',
    name: requireName(settings.name),
    avatar_url: settings.avatarUrl ?? null,
    email,
    role: settings.role,
    connection_id: null,
    created_time: now,
  })
  return id
}

/** @param timeZone the IANA name; null to remove it @throws AdministrationError for an unknown time zone */
export async function setPersonTimeZone(
  db: Transaction,
  workspaceId: string,
  personId: string,
  timeZone: string | null,
): Promise<void> {
  if (timeZone !== null && !isTimeZone(timeZone))
    throw new AdministrationError(`"${timeZone.slice(0, 200)}" is not a time zone. Use a name such as Europe/Lisbon.`)
  await setTimeZone(db, workspaceId, personId, timeZone)
}

/** An email address in its stored form, in lower case. @throws AdministrationError for an invalid address */
export function normalEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (!EMAIL.test(email) || email.length > EMAIL_LENGTH_MAX)
    throw new AdministrationError(`"${text.slice(0, 200)}" is not an email address.`)
  return email
}

/** Ends a membership: personal tokens and authorizations no longer work in the workspace. The member's content stays. */
export async function removePerson(db: Transaction, workspaceId: string, id: string, now: number): Promise<void> {
  await requireMember(db, workspaceId, id)
  await setLeft(db, workspaceId, id, now)
}

export async function changeRole(db: Transaction, workspaceId: string, id: string, role: Role): Promise<void> {
  await requireMember(db, workspaceId, id)
  await setRole(db, workspaceId, id, role)
}

/** @throws AdministrationError if there is no such member, or the member has left */
export async function requireMember(db: Connection, workspaceId: string, id: string): Promise<MemberRow> {
  const member = await findMember(db, workspaceId, id)
  if (!member || member.left_time !== null) throw new AdministrationError(`No member of the workspace has the id ${id}.`)
  return member
}

/**
 * Sets the password of an account, or removes it with null, and signs the account out everywhere.
 * @throws AdministrationError for a password that is too easy to guess, with the reason
 */
export async function setPassword(db: Transaction, email: string, password: string | null): Promise<void> {
  const account = await requireAccount(db, email)
  const complaint = password === null ? undefined : (await passwordRules())(password, email)
  if (complaint !== undefined) throw new AdministrationError(complaint)
  await storePassword(db, account.id, password === null ? null : await hashPassword(password))
  await deleteSessionsOf(db, account.id)
}

async function requireAccount(db: Connection, email: string): Promise<{ id: string }> {
  const account = await findAccountByEmail(db, normalEmail(email))
  if (!account) throw new AdministrationError(`No account has the email address ${email}.`)
  return account
}

export interface SignInLink {
  /** The path on the service's own address. It works once. */
  readonly path: string
  readonly expiresTime: number
}

/** Creates a link that signs a person in once. @param lifetimeMs an hour by default */
export async function createSignInLink(db: Transaction, email: string, now: number, lifetimeMs = LINK_MS): Promise<SignInLink> {
  const account = await requireAccount(db, email)
  const secret = newSecret('link')
  await insertSignInLink(db, tokenDigest(secret), account.id, now + lifetimeMs)
  return { path: `/sign-in/link?token=${secret}`, expiresTime: now + lifetimeMs }
}
