import type { FollowStart, Response } from '../kernel/response.ts'
import type { Connection, Transaction } from './database.ts'
import { rowOf } from './row_shape.ts'
import { sql } from './sql.ts'
import { id, numberForm, object } from './stored/form.ts'
import { readJson, readUnlessDamaged } from './stored/read_json.ts'

/** An idempotency key and the actor to whom it belongs. */
export interface KeyOwner {
  readonly workspaceId: string
  readonly actorId: string
  readonly key: string
}

/** One use of a key. `claim` identifies the use. */
export interface KeyUse extends KeyOwner {
  readonly fingerprint: Uint8Array
  /** The method and path of the request, for messages. */
  readonly request: string
  readonly claim: string
  /** The process that performs the request, by its number in `Presence`; null if other processes cannot tell whether it is alive. */
  readonly holder: number | null
}

const followForm = object({ sessionId: id, after: numberForm })

/** The name under which the start of a stream is stored among the headers. No header can have this name. */
const FOLLOW = ':follow'

interface StoredUse extends Pick<KeyUse, 'claim' | 'holder'> {
  readonly changedTime: number
  readonly fingerprint: Uint8Array
  readonly request: string
  /** Undefined while the first request is in flight. */
  readonly response: Response | undefined
}

/**
 * Claims a key that is free: one that was never used, or whose use has expired.
 * @param inFlightSince a request without a response that began at or before this time counts as lost
 * @param respondedSince a response stored at or before this time has expired
 * @returns whether the key now belongs to this use
 */
export async function insertClaim(
  db: Transaction,
  use: KeyUse,
  now: number,
  inFlightSince: number,
  respondedSince: number,
): Promise<boolean> {
  const changes = await db.change(
    sql`insert into idempotency_keys as k (workspace_id, actor_id, key, fingerprint, request, claim, holder, changed_time)
      values (${use.workspaceId}, ${use.actorId}, ${use.key}, ${use.fingerprint}, ${use.request}, ${use.claim}, ${use.holder}, ${now})
      on conflict (workspace_id, actor_id, key) do update set fingerprint = excluded.fingerprint, request = excluded.request,
      claim = excluded.claim, holder = excluded.holder, changed_time = excluded.changed_time, status = null, headers = null, body = null
      where (k.status is null and k.changed_time <= ${inFlightSince}) or (k.status is not null
      and k.changed_time <= ${respondedSince})`,
  )
  return changes === 1
}

const keyRow = rowOf({
  fingerprint: 'bytes',
  request: 'text',
  claim: 'text',
  // The number of the process that performs the request.
  holder: 'integer?',
  changed_time: 'integer',
  status: 'integer?',
  headers: 'text?',
  body: 'text?',
})

export async function findKey(db: Connection, owner: KeyOwner): Promise<StoredUse | undefined> {
  const row = await db.get(
    keyRow,
    sql`select fingerprint, request, claim, holder, changed_time, status, headers, body from idempotency_keys where workspace_id = ${owner.workspaceId}
      and actor_id = ${owner.actorId} and key = ${owner.key}`,
  )
  if (!row) return undefined
  const { fingerprint, request, claim, holder, changed_time: changedTime, status, headers, body } = row
  const use = { fingerprint, request, claim, holder, changedTime }
  if (status === null) return { ...use, response: undefined }
  const { [FOLLOW]: follow, ...sent } = readJson('idempotency_keys.headers', owner.key, headers ?? '{}') as Record<string, string>
  const response = { status, headers: sent, text: body ?? '' }
  const start = follow === undefined ? undefined : readUnlessDamaged('idempotency_keys.headers', owner.key, follow, followForm)
  return { ...use, response: start === undefined ? response : { ...response, follow: start as FollowStart } }
}

/**
 * Stores the response of a use.
 * @returns false if another use has claimed the key in the meantime
 */
export async function storeResponse(db: Transaction, use: KeyUse, response: Response, now: number): Promise<boolean> {
  const changes = await db.change(
    sql`update idempotency_keys set status = ${response.status}, headers =
      ${JSON.stringify({ ...response.headers, ...(response.follow && { [FOLLOW]: JSON.stringify(response.follow) }) })}, body =
      ${response.text}, changed_time = ${now}
     where workspace_id = ${use.workspaceId} and actor_id = ${use.actorId} and key = ${use.key} and claim = ${use.claim}
     and status is null`,
  )
  return changes === 1
}

/** Releases all keys of a workspace that have no stored response. Their requests ended with the process that performed them. */
export async function releasePendingKeys(db: Transaction, workspaceId: string): Promise<void> {
  await db.run(sql`delete from idempotency_keys where workspace_id = ${workspaceId} and status is null`)
}

/** Releases the key of a use that has no stored response. */
export async function releaseKey(db: Transaction, use: KeyUse): Promise<void> {
  await db.run(
    sql`delete from idempotency_keys where workspace_id = ${use.workspaceId} and actor_id = ${use.actorId} and key = ${use.key}
      and claim = ${use.claim} and status is null`,
  )
}

/**
 * Deletes the oldest keys of an actor that have a response, so that `kept` are left. The cost is linear in the number of the actor's keys.
 * @returns the number of deleted keys
 */
export async function dropOldestKeys(db: Transaction, owner: Omit<KeyOwner, 'key'>, kept: number): Promise<number> {
  const newestDropped = await db.get(
    { changed_time: 'integer', key: 'text' },
    sql`select changed_time, key from idempotency_keys where workspace_id = ${owner.workspaceId} and actor_id = ${owner.actorId}
     order by changed_time desc, key desc limit 1 offset ${kept}`,
  )
  if (!newestDropped) return 0
  return db.change(
    sql`delete from idempotency_keys where workspace_id = ${owner.workspaceId} and actor_id = ${owner.actorId}
      and (changed_time, key) <= (${newestDropped.changed_time}, ${newestDropped.key}) and status is not null`,
  )
}

/** Deletes expired keys, about `limit` of them. @returns the number of deleted keys */
export async function dropExpiredKeys(db: Transaction, changedUntil: number, limit: number): Promise<number> {
  const last = await db.get(
    { changed_time: 'integer' },
    sql`select changed_time from idempotency_keys where changed_time <= ${changedUntil} order by changed_time
      limit 1 offset ${limit - 1}`,
  )
  return db.change(sql`delete from idempotency_keys where changed_time <= ${last?.changed_time ?? changedUntil}`)
}
