import type { operationErrorCodes } from '../../generated/error_codes.ts'
import type { OperationId, releaseDates } from '../../generated/operations.ts'

/** The errors that an operation can return according to the contract. */
export type FaultCode<Id extends OperationId = OperationId> = Id extends OperationId
  ? (typeof operationErrorCodes)[Id][number]
  : never

/** The requests that a rule applies to: requests that meet all of the given conditions. */
export interface FaultCondition<Id extends OperationId = OperationId> {
  /** By default, all operations that can return the error code. */
  readonly operation?: Id | readonly Id[]
  /** Applies only to requests with this token. */
  readonly token?: string
  /** Applies only to requests with these headers; names are case-insensitive. */
  readonly headers?: Readonly<Record<string, string | Pick<RegExp, 'test'>>>
  /** Of the remaining requests, only every nth one is affected. */
  readonly every?: number
  /** The number of requests to skip first. */
  readonly after?: number
  /** The number of times that the rule acts; unlimited by default. */
  readonly next?: number
}

/** The effect of a rule on a request. */
export interface FaultEffect<Id extends OperationId = OperationId> {
  /** Milliseconds to wait first, by the clock of the machine. */
  readonly delay?: number
  /** The maximum of a random delay to add, in milliseconds. */
  readonly jitter?: number
  /** The error to return instead of performing the request. */
  readonly code?: FaultCode<Id>
  /** Replaces the message of the contract's example of the error. */
  readonly message?: string
  /** The seconds in `Retry-After`, for errors that have it; 1 by default. */
  readonly retryAfter?: number
  /** Breaks the connection instead of sending a response: before the request is performed, or after it. */
  readonly drop?: 'before' | 'after'
  /** Breaks the connection after this many bytes of the response's body or stream. */
  readonly cut?: number
  /** Refuses versions older than this one, like a service that no longer supports them. */
  readonly sunset?: (typeof releaseDates)[number]
}

export type FaultRule<Id extends OperationId = OperationId> = FaultCondition<Id> & FaultEffect<Id>
