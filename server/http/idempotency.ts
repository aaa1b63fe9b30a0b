import { createHash } from 'node:crypto'
import type { Request } from 'express'
import type { Operation } from '../contract/operation.ts'
import type { Actor } from '../domain/actor.ts'
import type { KeyedRequest } from '../domain/idempotency.ts'
import { canonicalJson } from '../kernel/canonical_json.ts'
import { ServiceError, shown } from '../kernel/errors.ts'
import { oneSpelling } from '../kernel/ids.ts'
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
