import type { Capability } from '../../generated/operations.ts'
import { ServiceError } from '../kernel/errors.ts'
import type { Connection, Database } from '../store/database.ts'
import { findLiveToken, findTokenOwner, markUsed, tokenDigest, tokenKey, type TokenOwner } from '../store/tokens.ts'
import { isSuspended } from '../store/workspaces.ts'
import { memberOf, type Actor } from './actor.ts'
import { holdsTokens, roleOf } from './membership.ts'
import { findProvenClient, isBasic } from './oauth/client.ts'

const BEARER = /^bearer +([A-Za-z0-9_\-.~+/]+=*) *$/i

/**
 * Who a request comes from. The first use of an access token is noted, because a refresh may be repeated only until then.
 * @param header the `Authorization` header
 * @throws ServiceError `unauthorized`, never saying what was wrong with the token
 */
export async function authenticate(database: Database, header: string | undefined, now: number): Promise<Actor> {
  const token = bearerTokenIn(header)
  const known = await database.readCached(tokenKey(token), (db) => findHolder(db, tokenDigest(token)))
  if (!known || (known.expiresTime !== null && known.expiresTime <= now)) throw unauthorized()
  if (known.isUnused && !(await database.write((db) => markUsed(db, tokenDigest(token), now)))) throw unauthorized()
  return known.actor
}

/** @throws ServiceError `unauthorized` for an `Authorization` header without a token */
export function bearerTokenIn(header: string | undefined): string {
  const token = BEARER.exec(header ?? '')?.[1]
  if (token === undefined) throw unauthorized()
  return token
}

/**
 * The connection that calls for itself: a public one by its client id and secret (`Basic`), any other by a token, of whatever kind.
 * Like tokens, the credentials are no good while the workspace that the connection belongs to is suspended.
 * @throws ServiceError `unauthorized`
 */
export async function authenticateConnection(database: Database, header: string | undefined, now: number): Promise<Actor> {
  if (!isBasic(header)) return authenticate(database, header, now)
  const client = await database.read(async (db) => {
    const proven = await findProvenClient(db, header, now)
    return proven && !(await isSuspended(db, proven.workspaceId)) ? proven : undefined
  })
  if (client?.kind !== 'public' || client.disabledTime !== null) throw unauthorized()
  return {
    workspaceId: client.workspaceId,
    // It has no bot of its own: what counts by user counts by connection.
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

/** Whoever holds a token, as long as nothing changes. */
interface Holder {
  readonly actor: Actor
  readonly expiresTime: number | null
  /** An access token that no one has used yet. */
  readonly isUnused: boolean
}

async function findHolder(db: Connection, digest: Uint8Array): Promise<Holder | undefined> {
  const owner = await findTokenOwner(db, digest)
  if (!owner || owner.kind === 'refresh') return undefined
  const expiresTime = owner.expires_time
  if (owner.kind !== 'personal')
    return { actor: botActor(owner, owner.kind), expiresTime, isUnused: owner.kind === 'access' && owner.used_time === null }
  const role = roleOf(owner.role)
  if (!(await holdsTokens(db, owner.workspace_id, owner.user_id, role, owner.token_holders))) return undefined
  return { actor: memberOf(owner.workspace_id, owner.user_id, role, Boolean(owner.calls_api)), expiresTime, isUnused: false }
}

/**
 * A bot or member that is not calling itself, for work that it left behind: with the rights it has now, as long as any of its tokens
 * is good.
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
    capabilities: new Set(JSON.parse(owner.capabilities ?? '[]') as Capability[]),
    rateLimit: owner.rate_limit ?? undefined,
    callsApi: true,
    seesWholeWorkspace: Boolean(owner.sees_workspace),
    memberLevel: undefined,
  }
}

/** The one answer to credentials that are no good. */
export function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', {
    message: 'The token of this request is missing or not valid. Send `Authorization: Bearer <token>`.',
  })
}
