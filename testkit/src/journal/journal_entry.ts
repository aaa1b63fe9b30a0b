import type { OperationLabel } from '@workspace-service/server/http/operation_label.ts'
import type { FaultRule } from '@workspace-service/server/faults/fault_rule.ts'

/** Why a request was refused: because of its address, its caller (token, version, rate limit) or its content, or by a fault rule. */
export type Check = 'address' | 'caller' | 'content' | 'fault'

/** The refusal of a request. */
export interface Refusal {
  readonly check: Check
  readonly code: string
  readonly message: string
  /** The invalid paths of the request, such as `body.parent.page_id`. */
  readonly paths: readonly string[]
}

/** A request and its response, without secrets. */
export interface JournalEntry {
  /** The operation, or another label for the request. */
  readonly operation: OperationLabel
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, or other text as a string; undefined for files and without a body. */
  readonly body: unknown
  readonly bodyBytes: number
  /** The part of the response that has been sent. */
  readonly response: {
    /** Undefined before the headers have been sent, and if the connection was broken before. */
    readonly status: number | undefined
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
    readonly bodyBytes: number
  }
  /** Undefined if the request was performed. */
  readonly refusal: Refusal | undefined
  /** The fault rules that acted on it. */
  readonly faults: readonly FaultRule[]
  readonly requestId: string | undefined
  /** By the clock of the machine. */
  readonly startedTime: Date
  readonly milliseconds: number
}
