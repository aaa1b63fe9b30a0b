import { hash } from 'node:crypto'
import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql, type Sql } from './sql.ts'

/** The maximum number of tokens that are listed: more than anyone uses. */
const OWN_TOKENS_MAX = 200

const tokenKinds = ['installation', 'access', 'refresh', 'personal'] as const
type StoredTokenKind = (typeof tokenKinds)[number]

const liveToken = rowOf({
  workspace_id: 'text',
  kind: tokenKinds,
  /** The id of the bot or, for a personal token, of the member. */
  user_id: 'text',
  expires_time: 'integer?',
  used_time: 'integer?',
  calls_api: 'integer',
  /** Null for a personal token. */
  connection_id: 'text?',
  connection_name: 'text?',
  /** A JSON array of capabilities; null for a personal token. */
  capabilities: 'text?',
  /** The connection's own limit of requests in 60 seconds, if it has one. */
  rate_limit: 'integer?',
})

const owner = rowOf({
  /** The member's role; null for a bot. */
  role: 'text?',
  /** The person who authorized the bot; null for the bot of an internal connection and for a member. */
  owner_id: 'text?',
  token_holders: ['owners', 'groups', 'members'],
  sees_workspace: 'flag',
})

/** A valid token, with everything that determines its holder's rights. */
export type TokenOwner = RowOf<typeof liveToken> & RowOf<typeof owner>

/** The SHA-256 digest of a token, code or secret, which is stored in its place. */
export function tokenDigest(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}

/** The digest of a token as text, for keys in memory. */
export function tokenKey(token: string): string {
  return hash('sha256', token, 'base64url')
}

/**
 * The owner of a token. Undefined if the token is unknown or revoked, its connection is disabled or deleted, its user or the person who
 * authorized the bot has left the workspace, or the workspace is suspended. The caller must check `expires_time`.
 */
export async function findTokenOwner(db: Connection, digest: Uint8Array): Promise<TokenOwner | undefined> {
  const token = await db.get(
    liveToken,
    sql`select t.workspace_id, t.kind, t.user_id, t.expires_time, t.used_time, t.calls_api, c.id as connection_id, c.name as
      connection_name, c.capabilities, c.rate_limit from tokens t left join connections c on c.id = t.connection_id
     where t.digest = ${digest} and t.revoked_time is null and t.spent_time is null
       and (t.kind = 'personal' or (c.id is not null and c.disabled_time is null))`,
  )
  if (!token) return undefined
  const { workspace_id: workspaceId, user_id: userId, kind } = token
  const row = await db.get(
    owner,
    sql`select u.role, u.owner_id, w.token_holders, exists (select 1 from grants g where g.workspace_id = ${workspaceId}
       and g.bot_id = ${userId} and g.item_id = ${workspaceId}) as sees_workspace
     from workspaces w
     join users u on u.workspace_id = w.id and u.id = ${userId} and u.left_time is null
     left join users p on p.workspace_id = w.id and p.id = u.owner_id
     where w.id = ${workspaceId} and w.suspended_time is null and (${kind} = 'personal' or p.left_time is null)`,
  )
  return row && { ...token, ...row }
}

/** A valid token of a bot or member, preferably one that may call the API. @returns the digest of the token */
export async function findLiveToken(
  db: Connection,
  workspaceId: string,
  userId: string,
  now: number,
): Promise<Uint8Array | undefined> {
  const row = await db.get(
    { digest: 'bytes' },
    sql`select digest from tokens where workspace_id = ${workspaceId} and user_id = ${userId} and revoked_time is null
      and spent_time is null and (expires_time is null or expires_time > ${now}) order by calls_api desc limit 1`,
  )
  return row?.digest
}

interface NewToken {
  readonly digest: Uint8Array
  readonly workspaceId: string
  readonly kind: StoredTokenKind
  /** The id of the bot or, for a personal token, of the member. */
  readonly userId: string
  readonly connectionId: string | null
  /** The id by which people and the command line refer to the token. */
  readonly id?: string
  readonly name?: string | null
  readonly expiresTime?: number | null
  readonly callsApi?: boolean
  readonly familyId?: string
  readonly generation?: number
}

export async function insertToken(db: Transaction, token: NewToken, now: number): Promise<void> {
  await db.run(
    sql`insert into tokens (digest, workspace_id, kind, connection_id, user_id, id, name, created_time, expires_time, calls_api,
      family_id, generation) values (${token.digest}, ${token.workspaceId}, ${token.kind}, ${token.connectionId}, ${token.userId},
      ${token.id ?? null}, ${token.name ?? null}, ${now}, ${token.expiresTime ?? null}, ${token.callsApi === false ? 0 : 1},
      ${token.familyId ?? null}, ${token.generation ?? null})`,
  )
}

/** Records the first use of a token. @returns false if the token has been revoked in the meantime */
export async function markUsed(db: Transaction, digest: Uint8Array, now: number): Promise<boolean> {
  return (
    (await db.change(
      sql`update tokens set used_time = coalesce(used_time, ${now}) where digest = ${digest} and revoked_time is null`,
    )) === 1
  )
}

/** Revokes every token of a bot or member. */
export async function revokeTokens(db: Transaction, workspaceId: string, userId: string, now: number): Promise<void> {
  await db.run(
    sql`update tokens set revoked_time = ${now} where workspace_id = ${workspaceId} and user_id = ${userId}
      and revoked_time is null`,
  )
}

const tokenRow = rowOf({
  id: 'text?',
  workspace_id: 'text',
  kind: tokenKinds,
  user_id: 'text',
  connection_id: 'text?',
  name: 'text?',
  created_time: 'integer',
  expires_time: 'integer?',
  revoked_time: 'integer?',
  calls_api: 'integer',
})
export type TokenRow = RowOf<typeof tokenRow>

const ROW = sql`id, workspace_id, kind, user_id, connection_id, name, created_time, expires_time, revoked_time, calls_api`

/** The personal tokens of a workspace, including revoked and expired ones, newest first. */
export async function listPersonalTokens(db: Connection, workspaceId: string): Promise<TokenRow[]> {
  return db.all(
    tokenRow,
    sql`select ${ROW} from tokens where workspace_id = ${workspaceId} and kind = 'personal' order by created_time desc, id`,
  )
}

const ownTokenRow = rowOf({ id: 'text', name: 'text?', created_time: 'integer', expires_time: 'integer' })
export type OwnTokenRow = RowOf<typeof ownTokenRow>

const ownTokens = (workspaceId: string, userId: string): Sql =>
  sql`select id, name, created_time, expires_time from tokens where workspace_id = ${workspaceId} and user_id = ${userId}
    and kind = 'personal' and id is not null and expires_time is not null and revoked_time is null`

/** The valid personal tokens of a member, the newest first. */
export async function listOwnTokenRows(db: Connection, workspaceId: string, userId: string, now: number): Promise<OwnTokenRow[]> {
  return db.all(
    ownTokenRow,
    sql`${ownTokens(workspaceId, userId)} and expires_time > ${now} order by created_time desc, id limit ${OWN_TOKENS_MAX}`,
  )
}

export async function findOwnToken(
  db: Connection,
  workspaceId: string,
  userId: string,
  id: string,
): Promise<OwnTokenRow | undefined> {
  return db.get(ownTokenRow, sql`${ownTokens(workspaceId, userId)} and id = ${id}`)
}

/** @returns the id of its workspace; undefined if there is no such token, or it had already been revoked */
export async function revokeTokenById(db: Transaction, id: string, now: number): Promise<string | undefined> {
  const revoked = sql`update tokens set revoked_time = ${now} where id = ${id} and revoked_time is null returning workspace_id`
  return (await db.get({ workspace_id: 'text' }, revoked))?.workspace_id
}

export async function deleteToken(db: Transaction, digest: Uint8Array): Promise<void> {
  await db.run(sql`delete from tokens where digest = ${digest}`)
}
