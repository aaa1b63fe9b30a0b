import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { raw, sql } from './sql.ts'

/** A sign-in account of a person. Each member of a workspace has the id of an account. */
const accountRow = rowOf({
  id: 'text',
  /** In lower case. */
  email: 'text',
  /** The password hash with its parameters; null without a password. */
  password: 'text?',
})
export type AccountRow = RowOf<typeof accountRow>

export async function findAccountByEmail(db: Connection, email: string): Promise<AccountRow | undefined> {
  return db.get(accountRow, sql`select id, email, password from accounts where email = ${email}`)
}

/** In lower case. */
export async function listAccountEmails(db: Connection): Promise<string[]> {
  return (await db.all({ email: 'text' }, sql`select email from accounts`)).map(({ email }) => email)
}

export async function findAccount(db: Connection, id: string): Promise<AccountRow | undefined> {
  return db.get(accountRow, sql`select id, email, password from accounts where id = ${id}`)
}

export async function insertAccount(db: Transaction, account: AccountRow, now: number): Promise<void> {
  await db.run(
    sql`insert into accounts (id, email, password, created_time) values (${account.id}, ${account.email}, ${account.password},
      ${now})`,
  )
}

export async function storePassword(db: Transaction, accountId: string, password: string | null): Promise<void> {
  await db.run(sql`update accounts set password = ${password} where id = ${accountId}`)
}

export async function insertSignInLink(
  db: Transaction,
  digest: Uint8Array,
  accountId: string,
  expiresTime: number,
): Promise<void> {
  await db.run(sql`insert into sign_in_links (digest, account_id, expires_time) values (${digest}, ${accountId}, ${expiresTime})`)
}

/** Consumes a sign-in link. @returns the account; undefined if the link is unknown, used or expired */
export async function consumeSignInLink(db: Transaction, digest: Uint8Array, now: number): Promise<string | undefined> {
  const row = await db.get(
    { account_id: 'text', expires_time: 'integer' },
    sql`select account_id, expires_time from sign_in_links where digest = ${digest}${raw(db.forUpdate)}`,
  )
  if (!row) return undefined
  const taken = await db.change(sql`delete from sign_in_links where digest = ${digest}`)
  return taken === 1 && row.expires_time > now ? row.account_id : undefined
}

const signInRow = rowOf({
  account_id: 'text',
  email: 'text',
  expires_time: 'integer',
})
type SignInRow = RowOf<typeof signInRow>

export async function insertSignIn(
  db: Transaction,
  digest: Uint8Array,
  accountId: string,
  { expiresTime, userAgent, now }: { readonly expiresTime: number; readonly userAgent: string | null; readonly now: number },
): Promise<void> {
  await db.run(
    sql`insert into browser_sessions (digest, account_id, created_time, expires_time, user_agent)
      values (${digest}, ${accountId}, ${now}, ${expiresTime}, ${userAgent})`,
  )
}

const browserRow = rowOf({
  digest: 'bytes',
  created_time: 'integer',
  expires_time: 'integer',
  /** The `User-Agent` header; null for sessions that were started before it was stored. */
  user_agent: 'text?',
})
export type BrowserRow = RowOf<typeof browserRow>

/** The maximum number of browsers that are listed: more than anyone uses. */
const BROWSERS_MAX = 200

/** The browsers in which an account is signed in, the newest first. */
export async function listSignIns(db: Connection, accountId: string, now: number): Promise<BrowserRow[]> {
  return db.all(
    browserRow,
    sql`select ${columnNames(browserRow)} from browser_sessions where account_id = ${accountId} and expires_time > ${now}
      order by created_time desc, digest limit ${BROWSERS_MAX}`,
  )
}

/** The times of the latest sign-in of each account, by id, as far as its session is still stored. */
export async function findLastSignIns(db: Connection, accountIds: readonly string[]): Promise<Map<string, number>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db.all(
    { account_id: 'text', time: 'integer' },
    sql`select s.account_id, max(s.created_time) as time from browser_sessions s
      where s.account_id in (select wanted.id from ${db.wanted(accountIds)}) group by s.account_id`,
  )
  return new Map(rows.map(({ account_id: id, time }) => [id, time]))
}

export async function findSignIn(db: Connection, digest: Uint8Array, now: number): Promise<SignInRow | undefined> {
  return db.get(
    signInRow,
    sql`select s.account_id, a.email, s.expires_time from browser_sessions s join accounts a on a.id = s.account_id
     where s.digest = ${digest} and s.expires_time > ${now}`,
  )
}

export async function deleteSession(db: Transaction, digest: Uint8Array): Promise<void> {
  await db.run(sql`delete from browser_sessions where digest = ${digest}`)
}

/**
 * Deletes all browser sessions and sign-in links of an account, for example after its password was changed. @param kept the digest of a
 * session that stays
 */
export async function deleteSessionsOf(db: Transaction, accountId: string, kept?: Uint8Array): Promise<void> {
  const others = kept === undefined ? sql`` : sql`and digest <> ${kept}`
  await db.run(sql`delete from browser_sessions where account_id = ${accountId} ${others}`)
  await db.run(sql`delete from sign_in_links where account_id = ${accountId}`)
}

/** Deletes links and sessions that expired before a time, at most `limit` of each. @returns the larger of the two counts */
export async function dropEndedSignIns(db: Transaction, before: number, limit: number): Promise<number> {
  const drop = (table: 'sign_in_links' | 'browser_sessions'): Promise<number> =>
    db.change(
      sql`delete from ${raw(table)} where digest in (select digest from ${raw(table)} where expires_time < ${before}
        limit ${limit})`,
    )
  return Math.max(await drop('sign_in_links'), await drop('browser_sessions'))
}
