import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql } from './sql.ts'
import { readJson } from './stored/read_json.ts'

/** An authorization code: a member's consent, to be exchanged for tokens. */
interface AuthorizationCode {
  readonly workspaceId: string
  readonly connectionId: string
  readonly personId: string
  /** The redirect URI to which the code was sent. */
  readonly redirectUri: string
  /** Whether the authorization request contained that URI. */
  readonly redirectUriSent: boolean
  /** The PKCE challenge, if the authorization request had one. */
  readonly codeChallenge: string | null
  readonly pageIds: readonly string[]
  readonly takesTemplate: boolean
  readonly expiresTime: number
}

export interface StoredCode extends AuthorizationCode {
  readonly usedTime: number | null
  /** The token family issued for the code; null before the exchange. */
  readonly familyId: string | null
}

const codeRow = rowOf({
  workspace_id: 'text',
  connection_id: 'text',
  person_id: 'text',
  redirect_uri: 'text',
  redirect_uri_sent: 'integer',
  code_challenge: 'text?',
  page_ids: 'text',
  takes_template: 'integer',
  expires_time: 'integer',
  used_time: 'integer?',
  family_id: 'text?',
})

export async function insertCode(db: Transaction, digest: Uint8Array, code: AuthorizationCode, now: number): Promise<void> {
  await db.run(
    sql`insert into authorization_codes (digest, workspace_id, connection_id, person_id, redirect_uri, redirect_uri_sent,
      code_challenge, page_ids, takes_template, created_time, expires_time) values (${digest}, ${code.workspaceId},
      ${code.connectionId}, ${code.personId}, ${code.redirectUri}, ${Number(code.redirectUriSent)}, ${code.codeChallenge},
      ${JSON.stringify(code.pageIds)}, ${Number(code.takesTemplate)}, ${now}, ${code.expiresTime})`,
  )
}

/** Finds a code and locks it until the transaction ends, so that concurrent exchanges of the code run one after the other. */
export function lockCode(db: Transaction, digest: Uint8Array): Promise<StoredCode | undefined> {
  return codeOf(db, digest, db.forUpdate)
}

export function findCode(db: Connection, digest: Uint8Array): Promise<StoredCode | undefined> {
  return codeOf(db, digest, '')
}

async function codeOf(db: Connection, digest: Uint8Array, lock: string): Promise<StoredCode | undefined> {
  const row = await db.get(
    codeRow,
    sql`select workspace_id, connection_id, person_id, redirect_uri, redirect_uri_sent, code_challenge, page_ids, takes_template,
       expires_time, used_time, family_id from authorization_codes where digest = ${digest}${raw(lock)}`,
  )
  return (
    row && {
      workspaceId: row.workspace_id,
      connectionId: row.connection_id,
      personId: row.person_id,
      redirectUri: row.redirect_uri,
      redirectUriSent: Boolean(row.redirect_uri_sent),
      codeChallenge: row.code_challenge,
      pageIds: readJson('authorization_codes.page_ids', row.connection_id, row.page_ids) as string[],
      takesTemplate: Boolean(row.takes_template),
      expiresTime: row.expires_time,
      usedTime: row.used_time,
      familyId: row.family_id,
    }
  )
}

/** Deletes codes that expired before a time. @returns how many, at most `limit` */
export function dropEndedCodes(db: Transaction, before: number, limit: number): Promise<number> {
  return db.change(
    sql`delete from authorization_codes where digest in (select digest from authorization_codes where expires_time < ${before}
      limit ${limit})`,
  )
}

export async function markCodeUsed(db: Transaction, digest: Uint8Array, familyId: string, now: number): Promise<void> {
  await db.run(sql`update authorization_codes set used_time = ${now}, family_id = ${familyId} where digest = ${digest}`)
}

/** All tokens issued from one code: successive pairs of access and refresh tokens. */
const tokenFamily = rowOf({
  id: 'text',
  workspace_id: 'text',
  connection_id: 'text',
  bot_id: 'text',
  template_copy_id: 'text?',
  /** The number of the current pair. */
  generation: 'integer',
  ended_time: 'integer?',
})
export type TokenFamily = RowOf<typeof tokenFamily>

const FAMILY = sql`id, workspace_id, connection_id, bot_id, template_copy_id, generation, ended_time`

export async function insertFamily(db: Transaction, family: Omit<TokenFamily, 'ended_time'>, now: number): Promise<void> {
  await db.run(
    sql`insert into token_families (workspace_id, id, connection_id, bot_id, template_copy_id, generation, created_time)
      values (${family.workspace_id}, ${family.id}, ${family.connection_id}, ${family.bot_id}, ${family.template_copy_id},
      ${family.generation}, ${now})`,
  )
}

/** Finds a family and locks it until the transaction ends, so that concurrent refreshes run one after the other. */
export async function lockFamily(db: Transaction, workspaceId: string, id: string): Promise<TokenFamily | undefined> {
  return db.get(
    tokenFamily,
    sql`select ${FAMILY} from token_families where workspace_id = ${workspaceId} and id = ${id}${raw(db.forUpdate)}`,
  )
}

export async function setGeneration(db: Transaction, workspaceId: string, id: string, generation: number): Promise<void> {
  await db.run(sql`update token_families set generation = ${generation} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Revokes every token of a family. */
export async function endFamily(db: Transaction, workspaceId: string, id: string, now: number): Promise<void> {
  await db.run(
    sql`update token_families set ended_time = coalesce(ended_time, ${now}) where workspace_id = ${workspaceId} and id = ${id}`,
  )
  await db.run(
    sql`update tokens set revoked_time = coalesce(revoked_time, ${now}) where workspace_id = ${workspaceId}
      and family_id = ${id}`,
  )
}

/** Like `endFamily`, for every family of a bot. */
export async function endFamiliesOf(db: Transaction, workspaceId: string, botId: string, now: number): Promise<void> {
  await db.run(
    sql`update token_families set ended_time = coalesce(ended_time, ${now}) where workspace_id = ${workspaceId}
      and bot_id = ${botId}`,
  )
  await db.run(
    sql`update tokens set revoked_time = coalesce(revoked_time, ${now}) where workspace_id = ${workspaceId}
      and user_id = ${botId}`,
  )
}

/** A token of a family, whether valid or not. */
const pairToken = rowOf({
  kind: ['access', 'refresh'],
  workspace_id: 'text',
  connection_id: 'text',
  user_id: 'text',
  family_id: 'text',
  generation: 'integer',
  created_time: 'integer',
  spent_time: 'integer?',
  revoked_time: 'integer?',
})
export type PairToken = RowOf<typeof pairToken>

export async function findPairToken(db: Connection, digest: Uint8Array): Promise<PairToken | undefined> {
  return db.get(
    pairToken,
    sql`select kind, workspace_id, connection_id, user_id, family_id, generation, created_time, spent_time, revoked_time
     from tokens where digest = ${digest} and family_id is not null`,
  )
}

/** Whether a token of a pair has been used. Locks the pair, so that neither token can be used before the transaction ends. */
export async function isPairUsed(db: Transaction, workspaceId: string, familyId: string, generation: number): Promise<boolean> {
  const rows = await db.all(
    { used_time: 'integer?', spent_time: 'integer?' },
    sql`select used_time, spent_time from tokens where workspace_id = ${workspaceId} and family_id = ${familyId}
      and generation = ${generation}${raw(db.forUpdate)}`,
  )
  return rows.some((row) => row.used_time !== null || row.spent_time !== null)
}

/**
 * Ends a pair and deletes its access token.
 * @param outcome `spent` if the next pair replaces it; `revoked` if it was never used and another pair of the same generation replaces it
 */
export async function endPair(
  db: Transaction,
  workspaceId: string,
  familyId: string,
  generation: number,
  outcome: 'spent' | 'revoked',
  now: number,
): Promise<void> {
  await deleteAccessToken(db, workspaceId, familyId, generation)
  await db.run(
    sql`update tokens set ${raw(`${outcome}_time`)} = ${now} where workspace_id = ${workspaceId} and family_id = ${familyId}
      and generation = ${generation} and revoked_time is null`,
  )
}

async function deleteAccessToken(db: Transaction, workspaceId: string, familyId: string, generation: number): Promise<void> {
  await db.run(
    sql`delete from tokens where workspace_id = ${workspaceId} and family_id = ${familyId} and generation = ${generation}
      and kind = 'access'`,
  )
}
