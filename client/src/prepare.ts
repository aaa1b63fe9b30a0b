import type { ClientOperation } from '../../generated/client_operations.ts'
import { InvalidCallError } from './errors.ts'
import { setHeader } from './headers.ts'
import { defaultLimits, type Limits } from './limits.ts'
import type { ClientOptions } from './options.ts'
import { safetyOf, type RetrySafety } from './retries.ts'
import type { AnyInput } from './request.ts'

const DEFAULT_RETRIES = 2
const DEFAULT_TIMEOUT_MS = 60_000
/** Three intervals of the comments that keep a stream open. */
const DEFAULT_SILENCE_MS = 45_000
const DEFAULT_FIRST_WAIT_MS = 1_000
const DEFAULT_LONGEST_WAIT_MS = 60_000
/** The longest time that a timer supports. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The parts that all attempts of a call share. */
export interface Prepared {
  readonly operation: ClientOperation
  readonly options: ClientOptions
  readonly input: AnyInput
  /** The headers of the caller, the idempotency key, and the type of a form. */
  readonly headers: Headers
  readonly safety: RetrySafety
  readonly numbers: CallLimits
  readonly requestIdHeader: string
}

/** The number of retries, and times in milliseconds. */
export interface CallLimits {
  readonly retries: number
  readonly timeout: number
  /** Infinity for no limit. */
  readonly total: number
  readonly silence: number
  readonly firstWait: number
  readonly longestWait: number
  readonly limits: Limits
}

/** @throws InvalidCallError for an impossible number */
export function callLimits(client: ClientOptions, call: AnyInput): CallLimits {
  const numbers = {
    retries: call.retries ?? client.retries ?? DEFAULT_RETRIES,
    timeout: call.timeoutMilliseconds ?? client.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MS,
    total: call.totalMilliseconds ?? client.totalMilliseconds ?? Infinity,
    silence: call.silenceMilliseconds ?? client.silenceMilliseconds ?? DEFAULT_SILENCE_MS,
    firstWait: client.firstWaitMilliseconds ?? DEFAULT_FIRST_WAIT_MS,
    longestWait: client.longestWaitMilliseconds ?? DEFAULT_LONGEST_WAIT_MS,
    limits: { ...defaultLimits, ...client.limits, ...call.limits },
  }
  if (!(numbers.retries >= 0)) throw new InvalidCallError('retries should be a number ≥ 0.')
  for (const name of ['timeout', 'silence'] as const)
    if (!(numbers[name] >= 1 && numbers[name] <= LONGEST_TIMER_MS))
      throw new InvalidCallError(`${name}Milliseconds should be a number from 1 to ${LONGEST_TIMER_MS}.`)
  if (!(numbers.total >= 1)) throw new InvalidCallError('totalMilliseconds should be a number ≥ 1.')
  for (const wait of [numbers.firstWait, numbers.longestWait])
    if (!(wait >= 0 && wait <= LONGEST_TIMER_MS))
      throw new InvalidCallError(`A wait should be a number from 0 to ${LONGEST_TIMER_MS}.`)
  for (const [name, limit] of Object.entries(numbers.limits))
    if (!(limit >= 1)) throw new InvalidCallError(`limits.${name} should be a number ≥ 1.`)
  return numbers
}

/** @throws InvalidCallError for options that cannot be used */
export function prepare(options: ClientOptions, operation: ClientOperation, input: AnyInput): Prepared {
  const headers = new Headers()
  for (const [name, value] of Object.entries({ ...options.headers })) setHeader(headers, name, value)
  for (const [name, value] of Object.entries({ ...input.headers })) setHeader(headers, name, value)
  const key = input.idempotencyKey ?? (options.automaticIdempotencyKeys ? crypto.randomUUID() : undefined)
  if (operation.key && key !== undefined && !headers.has('Idempotency-Key')) setHeader(headers, 'Idempotency-Key', key)
  const isForm = operation.body === 'form' || input.body instanceof URLSearchParams
  // openapi-fetch would call it JSON.
  if (isForm && !headers.has('Content-Type')) headers.set('Content-Type', 'application/x-www-form-urlencoded;charset=UTF-8')
  return {
    operation,
    options,
    input,
    headers,
    safety: safetyOf(operation, operation.key === true && headers.has('Idempotency-Key')),
    numbers: callLimits(options, input),
    requestIdHeader: `X-${options.headerBrand ?? 'Service'}-Request-Id`,
  }
}
