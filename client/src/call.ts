import type { Operation } from '../../generated/operations.ts'
import { abortedBy, readResponse, noResponseError, type SuccessfulCall } from './responses.ts'
import { WorkspaceServiceError } from './errors.ts'
import { EVENT_STREAM, open, type OpenStream } from './open.ts'
import type { ClientOptions } from './options.ts'
import { callLimits, prepare, type CallLimits, type Prepared } from './prepare.ts'
import { backoffWait, pause, type RetrySafety } from './retries.ts'
import { parseBaseUrl, type AnyInput } from './request.ts'

export type CallFunction = (operation: Operation, input: AnyInput) => Promise<SuccessfulCall>

/** @param isFollowing whether the request only follows a turn that is already running: it can be retried and has no idempotency key */
export type Open = (operation: Operation, input: AnyInput, isFollowing: boolean) => Promise<OpenStream>

/** The two ways to send a request: for a complete response, or for a stream. Both reject only with a `WorkspaceServiceError`. */
export interface Calls {
  readonly call: CallFunction
  readonly open: Open
  /** The limits of a call. @throws InvalidCallError for an invalid number */
  readonly numbers: (input: AnyInput) => CallLimits
}

/** @throws InvalidCallError for an invalid option */
export function makeCalls(options: ClientOptions): Calls {
  const baseUrl = parseBaseUrl(options.baseUrl)
  const numbers = (input: AnyInput): CallLimits => callLimits(options, input)
  numbers({})
  return {
    call: async (operation, input) => repeated(prepare(baseUrl, options, operation, input), receive),
    open: async (operation, input, isFollowing) => {
      const accepting = { ...input, headers: { ...input.headers, Accept: EVENT_STREAM } }
      if (!isFollowing) return repeated(prepare(baseUrl, options, operation, accepting), open)
      return repeated({ ...prepare(baseUrl, options, withoutKey(operation), accepting), safety: HARMLESS }, open)
    },
    numbers,
  }
}

const HARMLESS: RetrySafety = { isIdempotent: true, isSafeAfterFault: true, hasKey: false }

/** The operation, marked as having no idempotency key, so that none is generated. */
function withoutKey(operation: Operation): Operation {
  return { ...operation, headerParameters: operation.headerParameters.filter((name) => name !== 'Idempotency-Key') }
}

/** Retries until the call succeeds, fails permanently, has failed often enough, or has no time left for another attempt. */
async function repeated<Outcome extends object>(
  prepared: Prepared,
  attempt: (prepared: Prepared) => Promise<Outcome | WorkspaceServiceError>,
): Promise<Outcome> {
  const { operation, signal, numbers } = prepared
  const end = Date.now() + numbers.total
  for (let repeats = 0; ; repeats += 1) {
    if (signal?.aborted) throw abortedBy(operation, signal)
    const timeout = Math.min(numbers.timeout, Math.max(1, Math.ceil(end - Date.now())))
    const outcome = await attempt({ ...prepared, numbers: { ...numbers, timeout } })
    if (!(outcome instanceof WorkspaceServiceError)) return outcome
    if (repeats >= numbers.retries || !outcome.isRetryable) throw outcome
    const wait = outcome.retryAfterMilliseconds ?? backoffWait(repeats, numbers.firstWait, numbers.longestWait)
    if (Date.now() + wait >= end) throw outcome
    await pause(wait, signal)
  }
}

async function receive(prepared: Prepared): Promise<SuccessfulCall | WorkspaceServiceError> {
  const timeout = AbortSignal.timeout(prepared.numbers.timeout)
  const signal = prepared.signal ? AbortSignal.any([prepared.signal, timeout]) : timeout
  try {
    return await readResponse(prepared, await prepared.send(prepared.request(signal)))
  } catch (error) {
    return noResponseError(prepared, error, timeout.aborted)
  }
}
