import type { Capability } from '../../../generated/operations.ts'
import { ServiceError } from '../../kernel/errors.ts'
import type { Connection, Database } from '../../store/database.ts'
import { findLiveToken, findTokenOwner, markUsed, tokenDigest, tokenKey, type TokenOwner } from '../../store/tokens.ts'
import { isSuspended } from '../../store/workspaces.ts'
import { memberOf, holdsTokens, roleOf, type Actor } from '../shared/index.ts'
import { findProvenClient, isBasic } from './client_credentials.ts'
import { readJson } from '../../store/stored/read_json.ts'

const BEARER = /^bearer +([A-Za-z0-9_\-.~+/]+=*) *$/i

/**
 * The caller of a request. The first use of an access token is recorded, because the refresh that issued it can be repeated only until
 * then.
 * @param header the `Authorization` header
 * @throws ServiceError `unauthorized`, which does not reveal the problem with the token
 */
export async function authenticate(database: Database, header: string | undefined, now: number): Promise<Actor> {
  const token = bearerTokenIn(header)
  const known = await database.readCached(tokenKey(token), (db) => findAuthentication(db, tokenDigest(token)))
  if (!known || isExpired(known, now)) throw unauthorized()
  return known.isUnused ? recordUse(database, token, known.actor, now) : known.actor
}

function isExpired({ expiresTime }: Authentication, now: number): boolean {
  return expiresTime !== null && expiresTime <= now
}

async function recordUse(database: Database, token: string, actor: Actor, now: number): Promise<Actor> {
  if (!(await database.write((db) => markUsed(db, tokenDigest(token), now)))) throw unauthorized()
  return actor
}

/** @throws ServiceError `unauthorized` for an `Authorization` header without a token */
export function bearerTokenIn(header: string | undefined): string {
  const token = BEARER.exec(header ?? '')?.[1]
  if (token === undefined) throw unauthorized()
  return token
}

/**
 * Authenticates a connection that makes a request for itself: a public one by its client id and secret (`Basic`), any other by a token of
 * any kind. Like tokens, these credentials do not work while the workspace of the connection is suspended.
 * @throws ServiceError `unauthorized`
 */
export function authenticateConnection(database: Database, header: string | undefined, now: number): Promise<Actor> {
  return isBasic(header) ? authenticateClient(database, header, now) : authenticate(database, header, now)
}

async function authenticateClient(database: Database, header: string | undefined, now: number): Promise<Actor> {
  const client = await database.read(async (db) => {
    const proven = await findProvenClient(db, header, now)
    return proven && !(await isSuspended(db, proven.workspaceId)) ? proven : undefined
  })
  if (client?.kind !== 'public' || client.disabledTime !== null) throw unauthorized()
  return {
    workspaceId: client.workspaceId,
    // No bot is involved here. In counts per user, the connection's id stands for the user.
    userId: client.id,
    personId: undefined,
    connectionId: client.id,
    connectionName: client.name,
    tokenKind: 'installation',
    capabilities: new Set(client.capabilities as Capability[]),
    rateLimit: client.rateLimit ?? undefined,
    callsApi: true,
    seesWholeWorkspace: false,
    memberLevel: undefined,
  }
}

interface Authentication {
  readonly actor: Actor
  readonly expiresTime: number | null
  /** Whether it is an access token that has not been used yet. */
  readonly isUnused: boolean
}

async function findAuthentication(db: Connection, digest: Uint8Array): Promise<Authentication | undefined> {
  const owner = await findTokenOwner(db, digest)
  if (!owner || owner.kind === 'refresh') return undefined
  if (owner.kind === 'personal') return findMember(db, owner)
  const isUnused = owner.kind === 'access' && owner.used_time === null
  return { actor: botActor(owner, owner.kind), expiresTime: owner.expires_time, isUnused }
}

async function findMember(db: Connection, owner: TokenOwner): Promise<Authentication | undefined> {
  const role = roleOf(owner.role)
  if (!(await holdsTokens(db, owner.workspace_id, owner.user_id, role, owner.token_holders))) return undefined
  return {
    actor: memberOf(owner.workspace_id, owner.user_id, role, Boolean(owner.calls_api)),
    expiresTime: owner.expires_time,
    isUnused: false,
  }
}

/**
 * The actor for background work of a bot or member, with its current permissions; undefined if none of its tokens is valid any
 * more.
 */
export async function actorOfUser(db: Connection, workspaceId: string, userId: string, now: number): Promise<Actor | undefined> {
  const digest = await findLiveToken(db, workspaceId, userId, now)
  const owner = digest && (await findTokenOwner(db, digest))
  if (!owner) return undefined
  if (owner.kind !== 'personal') return botActor(owner, owner.kind === 'installation' ? 'installation' : 'access')
  const role = roleOf(owner.role)
  return (await holdsTokens(db, workspaceId, userId, role, owner.token_holders))
    ? memberOf(workspaceId, userId, role, Boolean(owner.calls_api))
    : undefined
}

function botActor(owner: TokenOwner, tokenKind: 'installation' | 'access'): Actor {
  return {
    workspaceId: owner.workspace_id,
    userId: owner.user_id,
    personId: owner.owner_id ?? undefined,
    connectionId: owner.connection_id ?? undefined,
    connectionName: owner.connection_name ?? undefined,
    tokenKind,
    capabilities: new Set(
      readJson('connections.capabilities', owner.connection_id ?? '', owner.capabilities ?? '[]') as Capability[],
    ),
    rateLimit: owner.rate_limit ?? undefined,
    callsApi: true,
    seesWholeWorkspace: Boolean(owner.sees_workspace),
    memberLevel: undefined,
  }
}

/** The error for all invalid credentials, in the wording that clients match. */
export function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', { message: 'API token is invalid.' })
}
