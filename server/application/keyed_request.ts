import { createHash } from 'node:crypto'
import type { Actor, KeyedRequest } from '../domain/shared/index.ts'
import { canonicalJson } from '../kernel/canonical_json.ts'
import { oneSpelling } from '../kernel/ids.ts'

/** The parts of a request that are the same in a retry. */
interface RequestIdentity {
  readonly method: string
  /** Percent-decoded. */
  readonly segments: readonly string[]
  /** Decoded names and values. */
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly version: string
  /** Active beta flags. */
  readonly betas: readonly string[]
  /** Undefined if the operation takes no body. A missing JSON body counts as `{}`. */
  readonly body: { readonly mediaType: string; readonly digest: string } | undefined
}

/** The identity of a JSON body, regardless of whitespace and the order of members. */
export function jsonBodyIdentity(value: unknown): { mediaType: string; digest: string } {
  return { mediaType: 'application/json', digest: createHash('sha256').update(canonicalJson(value)).digest('hex') }
}

/** A request with an idempotency key, and the fingerprint by which a retry is recognized. */
export function keyedRequest(actor: Pick<Actor, 'workspaceId' | 'userId'>, key: string, identity: RequestIdentity): KeyedRequest {
  const path = `/${identity.segments.map((segment) => encodeURIComponent(oneSpelling(segment).toWellFormed())).join('/')}`
  const { method, version, body } = identity
  const query = identity.query.toSorted(inOrder)
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
