import type { OperationLabel } from '../../http/operation_label.ts'
import type { FaultRule } from '../faults/fault_rule.ts'

/** Where a request was refused: by its address, by who sent it (token, version, budget), by what it says, or by a rule of the test. */
export type Check = 'address' | 'caller' | 'content' | 'fault'

/** Why a request was refused. */
export interface Refusal {
  readonly check: Check
  readonly code: string
  readonly message: string
  /** The places of the request that were wrong, such as `body.parent.page_id`. */
  readonly paths: readonly string[]
}

/** A request and its answer, without secrets. */
export interface JournalEntry {
  /** The operation, or what else was asked for. */
  readonly operation: OperationLabel
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** JSON as its value, another text as it came; undefined for files, and where there is none. */
  readonly body: unknown
  readonly bodyBytes: number
  /** As far as it has gone out. */
  readonly answer: {
    /** Undefined before there is one, and where the connection was broken first. */
    readonly status: number | undefined
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
    readonly bodyBytes: number
  }
  /** Undefined for what was carried out. */
  readonly refusal: Refusal | undefined
  /** The rules that acted on it. */
  readonly faults: readonly FaultRule[]
  readonly requestId: string | undefined
  /** By the clock of the machine. */
  readonly startedTime: Date
  readonly milliseconds: number
}
