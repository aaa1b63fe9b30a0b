import type { errorCodes, ErrorCodeName, OAuthErrorCodeName } from '../../../generated/error_codes.ts'
import type { OperationId, operations, releaseDates } from '../../../generated/operations.ts'

type Operations = typeof operations
type StatusOf<Code extends ErrorCodeName> = (typeof errorCodes)[Code]['status']

/** The errors that an operation may answer with, by the contract. */
export type FaultCode<Id extends OperationId = OperationId> = Id extends OperationId
  ? Operations[Id]['credentials'] extends 'client'
    ? OAuthErrorCodeName
    : { [Code in ErrorCodeName]: StatusOf<Code> extends Operations[Id]['statuses'][number] ? Code : never }[ErrorCodeName]
  : never

/** Which requests a rule is about: those for which everything holds that is said. */
export interface FaultCondition<Id extends OperationId = OperationId> {
  /** Left out, all operations; those that cannot answer with the code are left alone. */
  readonly operation?: Id | readonly Id[]
  /** Of the connection, or person, with this token. */
  readonly token?: string
  /** With these headers, by their names in any case. */
  readonly headers?: Readonly<Record<string, string | Pick<RegExp, 'test'>>>
  /** Of those, only every second, third … one. */
  readonly every?: number
  /** Leaves so many of them alone first. */
  readonly after?: number
  /** Acts so many times, and then no more. */
  readonly next?: number
}

/** What happens to such a request. */
export interface FaultEffect<Id extends OperationId = OperationId> {
  /** Milliseconds, by the clock of the machine, before anything else. */
  readonly delay?: number
  /** Up to so many milliseconds more. */
  readonly jitter?: number
  /** Answers with this error; nothing is carried out. */
  readonly code?: FaultCode<Id>
  /** Instead of the words of the contract's example. */
  readonly message?: string
  /** Seconds, for errors that say when to come again: 1 unless said otherwise. */
  readonly retryAfter?: number
  /** Breaks the connection: before the request is carried out, or after it, instead of the answer. */
  readonly drop?: 'before' | 'after'
  /** Sends so many bytes of the body of the answer, or of the stream, and breaks the connection. */
  readonly cut?: number
  /** Refuses older versions than this one, as a service does that has ended them. */
  readonly sunset?: (typeof releaseDates)[number]
}

export type FaultRule<Id extends OperationId = OperationId> = FaultCondition<Id> & FaultEffect<Id>
