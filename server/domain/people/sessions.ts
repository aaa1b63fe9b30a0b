import { createHmac } from 'node:crypto'
import { isSameDigest } from '../../kernel/is_same_digest.ts'
import {
  deleteSession,
  dropEndedSignIns,
  findAccount,
  findAccountByEmail,
  findSignIn,
  insertSignIn,
  takeSignInLink,
  type AccountRow,
} from '../../store/accounts.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { tokenDigest } from '../../store/tokens.ts'
import { newSecret } from '../secrets.ts'
import { passwordMatches } from './passwords.ts'

/** A person who is signed in with a browser. */
export interface Session {
  readonly personId: string
  readonly email: string
  /** What the browser's cookie holds; only its digest is stored. */
  readonly secret: string
}

/** Whose sign-in has succeeded. */
export type SignedIn = Pick<AccountRow, 'id' | 'email'>

/** A browser stays signed in for this long. */
export const SESSION_MS = 12 * 60 * 60 * 1000

/** Names the account of an address, whether or not there is one, in counts of attempts: the address itself is kept nowhere. */
export function accountKey(email: string): string {
  return Buffer.from(tokenDigest(canonicalEmail(email))).toString('base64url')
}

function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/**
 * The account that an address and a password name. It takes the same time whether there is one or not; the database is not held
 * meanwhile.
 */
export async function checkPassword(
  read: <T>(work: (db: Connection) => Promise<T>) => Promise<T>,
  email: string,
  password: string,
): Promise<SignedIn | undefined> {
  const account = await read<AccountRow | undefined>((db) => findAccountByEmail(db, canonicalEmail(email)))
  return (await passwordMatches(password, account?.password)) ? account : undefined
}

/** Uses up a one-time link. @returns the account, or undefined when the link does not work, or no more */
export async function useSignInLink(db: Transaction, secret: string, now: number): Promise<SignedIn | undefined> {
  const accountId = await takeSignInLink(db, tokenDigest(secret), now)
  return accountId === undefined ? undefined : findAccount(db, accountId)
}

/** Signs a browser in. Each time with a secret of its own, so that no one can plant one. @returns the secret for its cookie */
export async function openSession(db: Transaction, accountId: string, now: number): Promise<string> {
  const secret = newSecret('session')
  await insertSignIn(db, tokenDigest(secret), accountId, now + SESSION_MS, now)
  return secret
}

/** @param secret what the cookie holds, if there is one */
export async function signedInSession(db: Connection, secret: string | undefined, now: number): Promise<Session | undefined> {
  const row = secret === undefined ? undefined : await findSignIn(db, tokenDigest(secret), now)
  return row && secret !== undefined ? { personId: row.account_id, email: row.email, secret } : undefined
}

export async function closeSession(db: Transaction, secret: string): Promise<void> {
  await deleteSession(db, tokenDigest(secret))
}

/** Drops links and sessions that are over. @returns how many */
export function sweepSignIns(db: Transaction, now: number, limit: number): Promise<number> {
  return dropEndedSignIns(db, now, limit)
}

/** Proves that a form was made for this very browser. It says nothing about the secret in the cookie. */
export function formToken(cookieSecret: string): string {
  return createHmac('sha256', cookieSecret).update('form token').digest('base64url')
}

/** Compares in constant time. */
export function isFormToken(cookieSecret: string, offered: string | undefined): boolean {
  const [expected, actual] = [tokenDigest(formToken(cookieSecret)), tokenDigest(offered ?? '')]
  return isSameDigest(expected, actual)
}
