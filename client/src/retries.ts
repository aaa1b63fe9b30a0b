import { retriedStatuses, retryOfCode, type ClientOperation } from '../../generated/client_operations.ts'
import type { ErrorBody } from './errors.ts'

/** Whether a call can be retried safely. */
export interface RetrySafety {
  /** A retry cannot take effect twice, and returns the result of the first attempt even if that was performed. */
  readonly isIdempotent: boolean
  /** The contract allows a retry after errors for which the service guarantees that nothing was committed. */
  readonly isSafeAfterFault: boolean
  readonly hasKey: boolean
}

export function safetyOf({ method }: ClientOperation, hasKey: boolean): RetrySafety {
  const isIdempotent = method === 'get' || hasKey
  return { isIdempotent, isSafeAfterFault: isIdempotent || method === 'delete', hasKey }
}

/** Whether a call can be retried after a response: by the code of the error, or by the status if the body is not the service's. */
export function mayRetry(status: number, error: ErrorBody | undefined, safety: RetrySafety, hasRetryAfter: boolean): boolean {
  // The first attempt with this key is still running; a later attempt gets its response.
  if (error?.code === 'conflict_error') return safety.hasKey && hasRetryAfter
  const rule = error && Object.hasOwn(retryOfCode, error.code) ? retryOfCode[error.code] : undefined
  if (rule === undefined) return retriedStatuses.includes(status) || (isGatewayError(status) && safety.isIdempotent)
  return rule === 'always' || (rule === 'idempotent_only' && safety.isSafeAfterFault)
}

/** A proxy got no response in time, or a server behind it failed: it is unknown whether the call was performed. */
function isGatewayError(status: number): boolean {
  return status >= 500 || status === 408
}

/** @returns milliseconds of whole seconds or of an HTTP date, at most `longest`; anything else counts as none */
export function parseRetryAfter(header: string | null, longest: number): number | undefined {
  const text = header?.trim() ?? ''
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : isDate ? Date.parse(text) - Date.now() : NaN
  return milliseconds >= 0 ? Math.min(milliseconds, longest) : undefined
}

/** A random part of the wait, at least half of it, so that clients that failed together do not retry together. */
export function backoffWait(repeats: number, first: number, longest: number): number {
  return Math.min(first * 2 ** repeats, longest) * (0.5 + Math.random() / 2)
}

/** Resolves after that time, or when the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, signal?.aborted ? 0 : milliseconds)
    signal?.addEventListener('abort', end)
  })
}
