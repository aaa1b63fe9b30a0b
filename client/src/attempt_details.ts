import type { OperationId } from '../../generated/operations.ts'

/** An attempt to perform a call. It contains no credentials. */
export interface AttemptDetails {
  readonly operation: OperationId
  readonly method: string
  readonly url: string
  /** 1 for the first attempt. */
  readonly attempt: number
}
