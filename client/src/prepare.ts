import type { Operation } from '../../generated/operations.ts'
import { InvalidCallError } from './errors.ts'
import { defaultLimits, type Limits } from './limits.ts'
import type { ClientOptions } from './options.ts'
import { safetyOf, type RetrySafety } from './retries.ts'
import { addressOf, bodyOf, headersOf, type AnyInput } from './request.ts'

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
  readonly operation: Operation
  /** Scheme, host and port of the service, for messages. */
  readonly origin: string
  readonly request: (signal: AbortSignal) => Request
  readonly safety: RetrySafety
  readonly signal: AbortSignal | undefined
  readonly numbers: CallLimits
  readonly requestIdHeader: string
  readonly send: (request: Request) => Promise<Response>
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

/** @throws InvalidCallError for input that cannot be sent */
export function prepare(baseUrl: string, options: ClientOptions, operation: Operation, input: AnyInput): Prepared {
  const address = addressOf(baseUrl, operation, input)
  const headers = headersOf(operation, options, input)
  const { body, type } = bodyOf(operation, input.body)
  if (type !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', type)
  const hasKey = headers.has('Idempotency-Key') && operation.headerParameters.includes('Idempotency-Key')
  const request = (signal: AbortSignal): Request =>
    new Request(address, {
      method: operation.method.toUpperCase(),
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
      // Following a redirect would turn a write into a read of another operation that seems to succeed. If the contract
      // defines a redirect, the redirect is the response.
      redirect: operation.method === 'get' && !operation.statuses.includes(302) ? 'follow' : 'manual',
    })
  return {
    operation,
    origin: new URL(address).origin,
    request,
    safety: safetyOf(operation, hasKey),
    signal: input.signal,
    numbers: callLimits(options, input),
    requestIdHeader: `X-${options.headerBrand ?? 'Service'}-Request-Id`,
    send: options.fetch ?? ((request) => fetch(request)),
  }
}
