import type { Operation, OperationId } from '../contract/operation.ts'
import type { ResponseForm } from '../domain/agents/index.ts'
import type { Translation } from '../versions/index.ts'
import type { StoreResponse } from './keyed_requests.ts'
import type { UnchangedMembers } from './unchanged_members.ts'

type ServedOperation = Operation & { readonly id: OperationId }

/** A call of one operation. The steps of its request complete it. */
export interface Call<Called = ServedOperation> {
  readonly operation: Called
  path: Readonly<Record<string, unknown>>
  /** As in the URL: without the question mark, undecoded. */
  readonly queryText: string
  query: Readonly<Record<string, unknown>>
  /** The JSON body, or the fields of a form; undefined if the operation takes no body. */
  body: unknown
  /** The files of a form, by part name. */
  files: Readonly<Record<string, object>>
  /** A digest that is the same for equal bodies. */
  bodyIdentity?: () => BodyIdentity
  idempotencyKey?: string | undefined
  /** Stores the response for retries, in the transaction that makes the changes; left out without an idempotency key. */
  storeResponse?: StoreResponse
  /** The form of the response that the caller accepts. */
  form: ResponseForm
  /** The calls that handlers perform, in order; the last gives the response. Some calls of older versions translate into more than one. */
  validated: readonly ValidCall[]
  /** Translates between an older version and the newest; undefined for calls of the newest version. */
  translation: Translation | undefined
}

export interface BodyIdentity {
  readonly mediaType: string
  readonly digest: string
}

/** A call that the contract allows, in the form of the newest release, without the read-only members of its body. */
export interface ValidCall {
  readonly operation: ServedOperation
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  /** Read-only members that must agree with the response. */
  readonly unchanged: UnchangedMembers
}

/** A call for which only the operation is known. */
export function newCall<Called>(operation: Called, path: Readonly<Record<string, string>>, queryText: string): Call<Called> {
  return {
    operation,
    path,
    queryText,
    query: {},
    body: undefined,
    files: {},
    form: 'json',
    validated: [],
    translation: undefined,
  }
}
