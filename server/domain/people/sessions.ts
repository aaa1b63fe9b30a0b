import { createHmac, hash } from 'node:crypto'
import { isSameDigest } from '../../kernel/is_same_digest.ts'
import {
  deleteSession,
  deleteSessionsOf,
  dropEndedSignIns,
  findAccount,
  findAccountByEmail,
  findSignIn,
  insertSignIn,
  listSignIns,
  consumeSignInLink,
  storePassword,
  type AccountRow,
} from '../../store/accounts.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { tokenDigest } from '../../store/tokens.ts'
import { newSecret } from '../shared/index.ts'
import { passwordMatches } from './passwords.ts'

/** A browser in which a person is signed in. */
export interface Session {
  readonly personId: string
  readonly email: string
  /** The secret in the cookie of the browser; only its digest is stored. */
  readonly secret: string
}

/** The account after a successful sign-in. */
export type SignedIn = Pick<AccountRow, 'id' | 'email'>

/** How long a session lasts. */
export const SESSION_MS = 12 * 60 * 60 * 1000
const USER_AGENT_LENGTH_MAX = 300

/** The key under which sign-in attempts for an account are counted, whether or not the account exists. It does not contain the address. */
export function accountKey(email: string): string {
  return Buffer.from(tokenDigest(canonicalEmail(email))).toString('base64url')
}

function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * The account with an address and a password. The check happens outside a transaction, and takes the same time whether or not there is such
 * an account.
 */
export async function checkPassword(
  read: <T>(work: (db: Connection) => Promise<T>) => Promise<T>,
  email: string,
  password: string,
): Promise<SignedIn | undefined> {
  const account = await read<AccountRow | undefined>((db) => findAccountByEmail(db, canonicalEmail(email)))
  return (await passwordMatches(password, account?.password)) ? account : undefined
}

/** Uses a one-time link. @returns the account, or undefined if the link is invalid or was already used */
export async function useSignInLink(db: Transaction, secret: string, now: number): Promise<SignedIn | undefined> {
  const accountId = await consumeSignInLink(db, tokenDigest(secret), now)
  return accountId === undefined ? undefined : findAccount(db, accountId)
}

/** Creates a session with a new secret, which prevents session fixation. @returns the secret for the cookie */
export async function openSession(
  db: Transaction,
  accountId: string,
  userAgent: string | undefined,
  now: number,
): Promise<string> {
  const secret = newSecret('session')
  const shown = userAgent?.slice(0, USER_AGENT_LENGTH_MAX).replaceAll('\0', '') ?? null
  await insertSignIn(db, tokenDigest(secret), accountId, { expiresTime: now + SESSION_MS, userAgent: shown, now })
  return secret
}

/** A browser in which a person is signed in. */
export interface SignedInBrowser {
  /** An id that does not reveal the secret in the browser's cookie. */
  readonly id: string
  readonly isCurrent: boolean
  readonly userAgent: string | null
  readonly createdTime: number
  readonly expiresTime: number
}

/** The browsers in which the person of a session is signed in: first the session's own, then the newest. */
export async function listBrowsers(db: Connection, { personId, secret }: Session, now: number): Promise<SignedInBrowser[]> {
  const current = browserId(tokenDigest(secret))
  const browsers = (await listSignIns(db, personId, now)).map((row) => ({
    id: browserId(row.digest),
    isCurrent: browserId(row.digest) === current,
    userAgent: row.user_agent,
    createdTime: row.created_time,
    expiresTime: row.expires_time,
  }))
  return browsers.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
}

/** Signs a browser out. @returns whether the person was signed in there */
export async function endBrowser(db: Transaction, { personId }: Session, id: string, now: number): Promise<boolean> {
  const row = (await listSignIns(db, personId, now)).find(({ digest }) => browserId(digest) === id)
  if (row) await deleteSession(db, row.digest)
  return row !== undefined
}

function browserId(digest: Uint8Array): string {
  return hash('sha256', digest).slice(0, 32)
}

/** Replaces the password of the person of a session, and ends the person's other sessions. @param password from `hashPassword` */
export async function replacePassword(db: Transaction, { personId, secret }: Session, password: string): Promise<void> {
  await storePassword(db, personId, password)
  await deleteSessionsOf(db, personId, tokenDigest(secret))
}

/** The session of a signed-in person; undefined if there is none. @param secret the secret in the cookie, if there is a cookie */
export async function signedInSession(db: Connection, secret: string | undefined, now: number): Promise<Session | undefined> {
  const row = secret === undefined ? undefined : await findSignIn(db, tokenDigest(secret), now)
  return row && secret !== undefined ? { personId: row.account_id, email: row.email, secret } : undefined
}

export async function closeSession(db: Transaction, secret: string): Promise<void> {
  await deleteSession(db, tokenDigest(secret))
}

/** Deletes expired links and sessions. @returns the number of rows */
export function sweepSignIns(db: Transaction, now: number, limit: number): Promise<number> {
  return dropEndedSignIns(db, now, limit)
}

/** A token that ties a form to one browser. The secret in the cookie cannot be derived from it. */
export function formToken(cookieSecret: string): string {
  return createHmac('sha256', cookieSecret).update('form token').digest('base64url')
}

/** Compares in constant time. */
export function isFormToken(cookieSecret: string, offered: string | undefined): boolean {
  const [expected, actual] = [tokenDigest(formToken(cookieSecret)), tokenDigest(offered ?? '')]
  return isSameDigest(expected, actual)
}
