import { ServiceError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Transaction } from '../store/database.ts'
import {
  dropExpiredKeys,
  dropOldestKeys,
  findKey,
  releaseKey,
  storeAnswer,
  takeKey,
  type KeyOwner,
  type KeyUse,
  type StoredAnswer,
} from '../store/idempotency_keys.ts'

export type { KeyUse, StoredAnswer }

/** A request that came with a key. */
export type KeyedRequest = Omit<KeyUse, 'claim'>

const HOUR_MS = 3_600_000
/** How long an answer is kept: counted from the end of the request. */
const ANSWER_KEPT_MS = 24 * HOUR_MS
/** No request runs longer: one that claims to has died with its process. */
export const IN_FLIGHT_MS_MAX = 60_000
export const KEYS_PER_ACTOR_MAX = 100_000
/** Counting an actor's keys is not free, so one claim in so many does it. */
const CLAIMS_PER_COUNT = 256
const ATTEMPTS_MAX = 3

/** A use of a key that is like no other. */
export function newUse(request: KeyedRequest): KeyUse {
  return { ...request, claim: newId() }
}

/**
 * Decides what becomes of a request with an idempotency key.
 * @returns the stored answer of the same request; undefined when the request is to be carried out under this use
 * @throws ServiceError `idempotency_key_reused` when the key stands for another request, `conflict_error` while the first one runs
 */
export async function claimKey(db: Transaction, use: KeyUse, now: number): Promise<StoredAnswer | undefined> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    if (await takeKey(db, use, now, now - IN_FLIGHT_MS_MAX, now - ANSWER_KEPT_MS)) {
      if (Number.parseInt(use.claim.slice(0, 8), 16) % CLAIMS_PER_COUNT === 0) await keepWithinCapacity(db, use)
      return undefined
    }
    const known = await findKey(db, use)
    if (!known) continue // freed just now
    if (Buffer.compare(known.fingerprint, use.fingerprint) !== 0) throw reused(use.key, known.request)
    if (known.answer) return known.answer
    break
  }
  throw inFlight(use.key)
}

/** Drops the oldest answers of an actor with too many keys. */
async function keepWithinCapacity(db: Transaction, owner: Omit<KeyOwner, 'key'>): Promise<void> {
  await dropOldestKeys(db, owner, KEYS_PER_ACTOR_MAX)
}

/**
 * Stores the answer of a carried out request, in the transaction that holds its effect.
 * @throws ServiceError `conflict_error` when the request took so long that the key has passed to a repeat: then nothing may be kept
 */
export async function keepAnswer(db: Transaction, use: KeyUse, answer: StoredAnswer, now: number): Promise<void> {
  if (!(await storeAnswer(db, use, answer, now))) throw inFlight(use.key)
}

/**
 * Gives a key back after an error: the request may be corrected and sent again with it. Whatever is still done under that use cannot be
 * kept any more; what has been kept stays.
 */
export async function freeKey(db: Transaction, use: KeyUse): Promise<void> {
  await releaseKey(db, use)
}

/** Drops expired keys. @returns how many */
export function sweepKeys(db: Transaction, now: number, limit: number): Promise<number> {
  return dropExpiredKeys(db, now - ANSWER_KEPT_MS, limit)
}

function reused(key: string, request: string): ServiceError {
  return new ServiceError('idempotency_key_reused', {
    message: `Idempotency key \`${key}\` was first used for a different ${request} request.`,
  })
}

function inFlight(key: string): ServiceError {
  return new ServiceError('conflict_error', {
    message: `The first request with the idempotency key \`${key}\` is still running; retry after the time in Retry-After.`,
    headers: { 'Retry-After': '1' },
  })
}
