import type { operations as ContractOperations } from '../../generated/types.ts'
import type { ListOperationId, OperationId } from '../../generated/operations.ts'

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

type JsonOf<Body> = Body extends { content: infer Content }
  ? Content extends Record<string, infer Value>
    ? Value
    : never
  : never

type Body<Id extends OperationId> =
  Contract<Id> extends { requestBody: infer Required }
    ? { body: JsonOf<Required> }
    : Contract<Id> extends { requestBody?: infer Optional }
      ? [NonNullable<Optional>] extends [never]
        ? unknown
        : { body?: JsonOf<NonNullable<Optional>> }
      : unknown

/** What one call may say besides what the operation takes. */
export interface CallOptions {
  /** Another release date than the client's, for this call. */
  readonly version?: string
  /** Makes a repeat of a writing call safe. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** Path and query parameters and body of an operation, by their wire names. */
export type Input<Id extends OperationId> = Parameters<Id, 'path'> & Parameters<Id, 'query'> & Body<Id> & CallOptions

/** What a success answer of the operation holds. */
export type Answer<Id extends OperationId> =
  Contract<Id> extends { responses: infer Responses }
    ? { [Status in keyof Responses]: Status extends 200 | 202 ? JsonOf<Responses[Status]> : never }[keyof Responses]
    : never

/** One item of a list operation. */
export type Item<Id extends ListOperationId> =
  Answer<Id> extends infer Page
    ? Page extends { results: readonly (infer One)[] }
      ? One
      : Page extends { templates: readonly (infer One)[] }
        ? One
        : never
    : never

/** An operation without required parts may be called without an argument. */
export type InputArguments<Id extends OperationId> =
  Record<string, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]
