import type { ClientOperation } from '../../generated/client_operations.ts'
import { CallAttempt } from './call_attempt.ts'
import { ApiError, WorkspaceServiceError } from './errors.ts'
import { exchange } from './exchange.ts'
import { createCore, type FetchClient } from './fetch.ts'
import { attemptSignal } from './attempt_signal.ts'
import { EVENT_STREAM, open, type OpenStream } from './open.ts'
import type { ClientOptions } from './options.ts'
import { callLimits, prepare, type CallLimits, type Prepared } from './prepare.ts'
import type { AnyInput } from './request.ts'
import { abortedBy, parseResponse, readResponseBody, type SuccessfulCall } from './responses.ts'
import { backoffWait, pause, type RetrySafety } from './retries.ts'

/** The two ways to perform an operation: for a complete response, or for a stream. */
export interface Calls {
  readonly call: (operation: ClientOperation, input: AnyInput) => Promise<SuccessfulCall>
  /** @param isFollowing whether the request only follows a turn that is already running: it can be retried and has no idempotency key */
  readonly open: (operation: ClientOperation, input: AnyInput, isFollowing: boolean) => Promise<OpenStream>
  /** The limits of a call. @throws InvalidCallError for an invalid number */
  readonly numbers: (input: AnyInput) => CallLimits
}

/** @throws InvalidCallError for an invalid option */
export function makeCalls(options: ClientOptions): Calls {
  const core = createCore(options)
  const numbers = (input: AnyInput): CallLimits => callLimits(options, input)
  numbers({})
  return {
    call: async (operation, input) => repeated(prepare(options, operation, input), (attempt) => receive(core, attempt)),
    open: async (operation, input, isFollowing) => {
      const accepting = { ...input, headers: { ...input.headers, Accept: EVENT_STREAM } }
      const { key: _key, ...keyless } = operation
      const prepared = isFollowing
        ? { ...prepare(options, keyless, accepting), safety: HARMLESS }
        : prepare(options, operation, accepting)
      return repeated(prepared, (attempt) => open(core, attempt))
    },
    numbers,
  }
}

const HARMLESS: RetrySafety = { isIdempotent: true, isSafeAfterFault: true, hasKey: false }

/**
 * Retries until the call succeeds, fails permanently, has failed often enough, or has no time left for another attempt. Each attempt is a
 * call of openapi-fetch: its middleware cannot send a request again whose body was sent, nor give the second attempt its own time.
 */
async function repeated<Outcome>(prepared: Prepared, perform: (attempt: CallAttempt) => Promise<Outcome>): Promise<Outcome> {
  const { operation, input, numbers } = prepared
  const end = Date.now() + numbers.total
  let [retries, refused]: [number, string | undefined] = [0, undefined]
  for (let number = 1; ; number += 1) {
    if (input.signal?.aborted) throw abortedBy(operation, input.signal)
    const timeout = Math.min(numbers.timeout, Math.max(1, Math.ceil(end - Date.now())))
    const attempt = new CallAttempt(prepared, number, timeout, refused)
    try {
      return await perform(attempt)
    } catch (error) {
      refused ??= refusedToken(attempt, error)
      if (refused !== undefined && attempt.refused === undefined) continue
      await waitToRetry(attempt, error, retries, end)
      retries += 1
    }
  }
}

/** The token that was refused, if its provider may have a better one. */
function refusedToken(attempt: CallAttempt, error: unknown): string | undefined {
  return error instanceof ApiError && error.status === 401 ? attempt.providedToken : undefined
}

/** @throws the error, if there should be no retry */
async function waitToRetry(attempt: CallAttempt, error: unknown, retries: number, end: number): Promise<void> {
  const { input, options, numbers } = attempt.prepared
  if (!(error instanceof WorkspaceServiceError) || retries >= numbers.retries || !error.isRetryable) throw error
  const waitMilliseconds = error.retryAfterMilliseconds ?? backoffWait(retries, numbers.firstWait, numbers.longestWait)
  if (Date.now() + waitMilliseconds >= end) throw error
  const { details } = attempt
  options.logger?.warn(`${details.method} ${details.url} ${error.code}, next attempt in ${Math.round(waitMilliseconds)} ms`)
  await options.onRetry?.({ ...details, error, waitMilliseconds })
  await pause(waitMilliseconds, input.signal)
}

async function receive(core: FetchClient, attempt: CallAttempt): Promise<SuccessfulCall> {
  const { signal, release } = attemptSignal(attempt)
  try {
    const response = await exchange(core, attempt, signal)
    return parseResponse(attempt, response, await readResponseBody(attempt, response))
  } finally {
    release()
  }
}
