import { createHmac } from 'node:crypto'
import { isSameDigest } from '../../kernel/is_same_digest.ts'
import {
  deleteSession,
  dropEndedSignIns,
  findAccount,
  findAccountByEmail,
  findSignIn,
  insertSignIn,
  consumeSignInLink,
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

/** The key of an account in counts of attempts, whether or not the account exists. The address itself is not stored. */
export function accountKey(email: string): string {
  return Buffer.from(tokenDigest(canonicalEmail(email))).toString('base64url')
}

function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * The account with an address and a password. The check takes the same time whether or not there is one, and happens outside the
 * transaction.
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
export async function openSession(db: Transaction, accountId: string, now: number): Promise<string> {
  const secret = newSecret('session')
  await insertSignIn(db, tokenDigest(secret), accountId, now + SESSION_MS, now)
  return secret
}

/** @param secret the secret in the cookie, if there is one */
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
