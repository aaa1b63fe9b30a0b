import type { operations as ContractOperations } from '../../generated/types.ts'
import type { Call, ListCall } from '../../generated/resources.ts'
import type { operations as contractOperations, ListOperationId, OperationId } from '../../generated/operations.ts'
import type { CallOptions } from './options.ts'

export type { ListOperationId, OperationId }

type Contract<Id extends OperationId> = ContractOperations[Id]

type Parameters<Id extends OperationId, Place extends 'path' | 'query'> =
  Contract<Id> extends { parameters: infer All }
    ? All extends { [P in Place]: infer Value }
      ? { [P in Place]: Value }
      : All extends { [P in Place]?: infer Value }
        ? [NonNullable<Value>] extends [never]
          ? unknown
          : { [P in Place]?: NonNullable<Value> }
        : unknown
    : unknown

/** JSON if there is a choice: streams are requested in another way. */
type JsonOf<Body> = Body extends { content: { 'application/json': infer Value } }
  ? Value
  : Body extends { content: Record<string, infer Value> }
    ? Value
    : never

type Body<Id extends OperationId> =
  Contract<Id> extends { requestBody: infer Required }
    ? { body: JsonOf<Required> }
    : Contract<Id> extends { requestBody?: infer Optional }
      ? [NonNullable<Optional>] extends [never]
        ? unknown
        : { body?: JsonOf<NonNullable<Optional>> }
      : unknown

/** Makes retries of a write safe; only for operations that support it. */
type Key<Id extends OperationId> = 'Idempotency-Key' extends (typeof contractOperations)[Id]['headerParameters'][number]
  ? { idempotencyKey?: string }
  : unknown

/** Path and query parameters and body of an operation, by their wire names. */
export type Input<Id extends OperationId> = Parameters<Id, 'path'> & Parameters<Id, 'query'> & Body<Id> & Key<Id> & CallOptions

/** The body of a successful response; undefined for a redirect. */
export type ResponseBody<Id extends OperationId> =
  Contract<Id> extends { responses: infer Responses }
    ? {
        [Status in keyof Responses]: Status extends 200 | 202 ? JsonOf<Responses[Status]> : Status extends 302 ? undefined : never
      }[keyof Responses]
    : never

/** One item of a list operation. */
export type Item<Id extends ListOperationId> =
  ResponseBody<Id> extends infer Page
    ? Page extends { results: readonly (infer One)[] }
      ? One
      : Page extends { templates: readonly (infer One)[] }
        ? One
        : never
    : never

/** An operation without required parts may be called without an argument. */
export type InputArguments<Id extends OperationId> =
  Record<string, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

/** A call of an operation. */
export type CallOf<Id extends OperationId> = Id extends ListOperationId
  ? ListCall<ResponseBody<Id>, Item<Id>>
  : Call<ResponseBody<Id>>
