import { createHash } from 'node:crypto'
import type { Request } from './incoming.ts'
import type { Operation } from '../contract/operation.ts'
import type { Actor } from '../domain/actor.ts'
import { claimKey, freeKey, keepAnswer, type KeyedRequest } from '../domain/idempotency.ts'
import { canonicalJson } from '../kernel/canonical_json.ts'
import type { Clock } from '../kernel/clock.ts'
import { ServiceError, shown } from '../kernel/errors.ts'
import { oneSpelling } from '../kernel/ids.ts'
import type { Database, Transaction } from '../store/database.ts'
import type { Answer } from './answer.ts'
import { queryPairs } from './query.ts'

const HEADER = 'Idempotency-Key'
const KEY_LENGTH_MAX = 255
const KEY_WORDS = `1 to ${KEY_LENGTH_MAX} printable ASCII characters without spaces, quotes or backslashes`
/** A structured-field string, or the same without its quotes. */
const KEY = /^(?:"([!#-[\]-~]+)"|([!#-[\]-~]+))$/

/**
 * The idempotency key of a request, without quotes; undefined when it has none or its operation takes none.
 * @throws ServiceError `validation_error` at `Idempotency-Key header`
 */
export function idempotencyKeyOf(operation: Operation, request: Request): string | undefined {
  // Node makes its list of repeated headers only when it is asked for.
  const values = request.headers['idempotency-key'] === undefined ? undefined : request.headersDistinct['idempotency-key']
  if (values === undefined || !operation.headerParameters.includes(HEADER)) return undefined
  if (values.length > 1) throw badKey(`${HEADER} header should be sent once`)
  const text = values[0] ?? ''
  const [, quoted, bare] = KEY.exec(text) ?? []
  const key = quoted ?? bare
  if (key === undefined) throw badKey(`${HEADER} header should be ${KEY_WORDS}, instead was ${shown(text)}`)
  if (key.length > KEY_LENGTH_MAX)
    throw badKey(`${HEADER} header.length should be ≤ \`${KEY_LENGTH_MAX}\`, instead was \`${key.length}\``)
  return key
}

function badKey(complaint: string): ServiceError {
  return new ServiceError('validation_error', { message: `${HEADER} header failed validation: ${complaint}.` })
}

/** Everything that makes two requests the same request. */
export interface RequestIdentity {
  readonly method: string
  /** Percent-decoded. */
  readonly segments: readonly string[]
  readonly query: string
  readonly version: string
  /** Active beta flags. */
  readonly betas: readonly string[]
  /** Undefined where the operation takes no body. A missing JSON body is `{}`. */
  readonly body: { readonly mediaType: string; readonly digest: string } | undefined
}

/** The identity of a JSON body: order of members and blanks do not count. */
export function jsonBody(value: unknown): { mediaType: string; digest: string } {
  return { mediaType: 'application/json', digest: createHash('sha256').update(canonicalJson(value)).digest('hex') }
}

/** A request with a key, ready to be claimed. */
export function keyedRequest(actor: Pick<Actor, 'workspaceId' | 'userId'>, key: string, identity: RequestIdentity): KeyedRequest {
  const path = `/${identity.segments.map((segment) => encodeURIComponent(oneSpelling(segment).toWellFormed())).join('/')}`
  const { method, version, body } = identity
  const query = queryPairs(identity.query).toSorted(inOrder)
  const whole = [method, path, query, version, identity.betas.toSorted(), body?.mediaType ?? null, body?.digest ?? null]
  return {
    workspaceId: actor.workspaceId,
    actorId: actor.userId,
    key,
    request: `${method} ${path}`,
    fingerprint: createHash('sha256').update(JSON.stringify(whole)).digest(),
  }
}

function inOrder([nameA, valueA]: readonly [string, string], [nameB, valueB]: readonly [string, string]): number {
  if (nameA !== nameB) return nameA < nameB ? -1 : 1
  return valueA === valueB ? 0 : valueA < valueB ? -1 : 1
}

/** Keeps an answer beside the effect it reports, in the same transaction. */
export type Keep = (db: Transaction, answer: Answer) => Promise<void>

/**
 * Carries a request out once. A repeat gets the stored answer; a request that fails leaves its key free.
 * @param perform does the work. It hands its answer to `keep` inside the transaction of the effect, or has no effect
 */
export async function once(
  database: Database,
  clock: Clock,
  request: KeyedRequest,
  perform: (keep: Keep) => Promise<Answer>,
): Promise<Answer> {
  const claimed = await database.write((db) => claimKey(db, request, clock.now()))
  if ('text' in claimed) return { ...claimed, headers: { ...claimed.headers, 'Idempotency-Replayed': 'true' } }
  let isKept = false
  const keep: Keep = async (db, answer) => {
    isKept = true
    await keepAnswer(db, claimed, answer, clock.now())
  }
  try {
    const answer = await perform(keep)
    if (!isKept) await database.write((db) => keep(db, answer))
    return answer
  } catch (error) {
    // Should this fail too, the key is free again when no request can be running under it any more.
    await database.write((db) => freeKey(db, claimed)).catch(() => undefined)
    throw error
  }
}
