import { ServiceError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Response } from '../../kernel/response.ts'
import type { Transaction } from '../../store/database.ts'
import {
  dropExpiredKeys,
  dropOldestKeys,
  findKey,
  releaseKey,
  storeResponse,
  insertClaim,
  type KeyOwner,
  type KeyUse,
} from '../../store/idempotency_keys.ts'

export type { KeyUse }

/** A request with an idempotency key. */
export type KeyedRequest = Omit<KeyUse, 'claim' | 'holder'>

const HOUR_MS = 3_600_000
/** How long a response is kept, counted from the end of the request. */
const RESPONSE_KEPT_MS = 24 * HOUR_MS
/** The maximum duration of a request. A request that seems to run longer has died with its process. */
export const IN_FLIGHT_MS_MAX = 60_000
export const KEYS_PER_ACTOR_MAX = 100_000
/** Counting an actor's keys is expensive, so it is done once in this many claims. */
const CLAIMS_PER_COUNT = 256
const ATTEMPTS_MAX = 3
const MIN_WAIT_MS = 1_000

/** A use of a key with a unique claim. @param holder the number of this process, if others can tell whether that process lives */
export function newUse(request: KeyedRequest, holder: number | null = null): KeyUse {
  return { ...request, claim: newId(), holder }
}

/** An earlier use of a key, which has no response yet. */
export interface PendingUse extends KeyUse {
  /** When its request counts as lost, in milliseconds since 1970. */
  readonly lostTime: number
  readonly isSameRequest: boolean
}

/**
 * Claims the idempotency key of a request.
 * @returns the stored response if the same request has been performed; the use that holds the key; undefined if the key is now claimed
 * @throws ServiceError `idempotency_key_reused` if the key was used for another request, which has a response
 */
export async function claimKey(db: Transaction, use: KeyUse, now: number): Promise<Response | PendingUse | undefined> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    if (await insertClaim(db, use, now, now - IN_FLIGHT_MS_MAX, now - RESPONSE_KEPT_MS)) {
      if (Number.parseInt(use.claim.slice(0, 8), 16) % CLAIMS_PER_COUNT === 0) await keepWithinCapacity(db, use)
      return undefined
    }
    const known = await findKey(db, use)
    if (!known) continue // the key was released just now
    const { response, changedTime, ...earlier } = known
    const isSameRequest = Buffer.compare(earlier.fingerprint, use.fingerprint) === 0
    if (!response) return { ...use, ...earlier, lostTime: changedTime + IN_FLIGHT_MS_MAX, isSameRequest }
    if (!isSameRequest) throw reused(use.key, earlier.request)
    return response
  }
  throw inFlight(use.key, MIN_WAIT_MS)
}

/**
 * The error for a request whose key is held by another request.
 * @param wait milliseconds until the key is released at the latest; undefined if the holder is alive, so that this time is unknown
 */
export function heldKeyError({ key, request, isSameRequest }: PendingUse, wait: number | undefined): ServiceError {
  return isSameRequest ? inFlight(key, wait ?? MIN_WAIT_MS) : reused(key, request)
}

/** Deletes the oldest responses of an actor with too many keys. */
async function keepWithinCapacity(db: Transaction, owner: Omit<KeyOwner, 'key'>): Promise<void> {
  await dropOldestKeys(db, owner, KEYS_PER_ACTOR_MAX)
}

/**
 * Stores the response of a request in the transaction that contains its effect.
 * @throws ServiceError `conflict_error` if the request took so long that a retry has claimed the key; the transaction must then be rolled
 * back
 */
export async function saveResponse(db: Transaction, use: KeyUse, response: Response, now: number): Promise<void> {
  if (!(await storeResponse(db, use, response, now))) throw inFlight(use.key, MIN_WAIT_MS)
}

/**
 * Releases a key after an error, so that the corrected request can use it. Work that still runs under this claim can no longer commit;
 * committed changes stay.
 */
export async function freeKey(db: Transaction, use: KeyUse): Promise<void> {
  await releaseKey(db, use)
}

/** Deletes expired keys. @returns the number of keys */
export function sweepKeys(db: Transaction, now: number, limit: number): Promise<number> {
  return dropExpiredKeys(db, now - RESPONSE_KEPT_MS, limit)
}

function reused(key: string, request: string): ServiceError {
  return new ServiceError('idempotency_key_reused', {
    message: `Idempotency key \`${key}\` was first used for a different ${request} request.`,
  })
}

function inFlight(key: string, wait: number): ServiceError {
  return new ServiceError('conflict_error', {
    message: `The first request with the idempotency key \`${key}\` is still running; retry after the time in Retry-After.`,
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(wait / 1_000))) },
  })
}
