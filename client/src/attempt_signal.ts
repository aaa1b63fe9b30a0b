import type { CallAttempt } from './call_attempt.ts'

/** The connection of one attempt. It ends with the caller's signal, and when the attempt takes too long. */
export interface AttemptSignal {
  readonly signal: AbortSignal
  /** Ends the time limit. */
  stopTimer(): void
  /** Ends the time limit, and forgets the caller's signal, which may live longer. */
  release(): void
  /** Ends the connection, so that pending reads reject. Has no effect once it has ended. */
  close(): void
}

/** By a timer that ends with the attempt: `AbortSignal.timeout` and `any` would keep the request until the end of the time. */
export function attemptSignal(attempt: CallAttempt): AttemptSignal {
  const { signal } = attempt.prepared.input
  const own = new AbortController()
  let hasTimedOut = false
  attempt.hasTimedOut = () => hasTimedOut
  const timer = setTimeout(() => {
    hasTimedOut = true
    close()
  }, attempt.timeout)
  const stopTimer = (): void => clearTimeout(timer)
  const release = (): void => {
    stopTimer()
    signal?.removeEventListener('abort', close)
  }
  const close = (): void => {
    release()
    own.abort()
  }
  signal?.addEventListener('abort', close)
  return { signal: own.signal, stopTimer, release, close }
}
