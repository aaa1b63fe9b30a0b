import type { VerificationWebhookPayload, WebhookEvent } from '../../generated/types.ts'
import { InvalidCallError, InvalidWebhookError } from './errors.ts'

/** The request that brings the token of a subscription to its address. It has no `type` on the wire; `verifyWebhook` names it. */
export interface WebhookVerification extends VerificationWebhookPayload {
  readonly type: 'verification'
}

/** A request to the address of a subscription, distinguished by `type`. */
export type ReceivedWebhook = WebhookEvent | WebhookVerification

/** A `Headers` object, Node's headers, or the value of the signature header alone. */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | string
  | null
  | undefined

export interface VerifyWebhookOptions {
  /** The prefix of the headers of a branded deployment, instead of `Service`. */
  readonly headerBrand?: string
  /**
   * Refuses events whose `timestamp` is further from now, for receivers that remember ids only for this long. Retries keep the timestamp
   * of the event and arrive for more than a day, so anything below 27 hours refuses some genuine events. Default: no limit.
   */
  readonly toleranceMilliseconds?: number
}

/**
 * Checks that a request to the address of a subscription comes from the service, and parses it.
 *
 * Before the token is known, pass `undefined`: the verification request is then checked with the token that it contains, and no other
 * request is accepted. That does not prove its origin; sending the token back does, because the service refuses any token but its own.
 * @param body the raw bytes as they arrived, or their text; never the parsed value
 * @param token the whole verification token of the subscription, `secret_` included
 * @throws InvalidWebhookError for a request that should not be trusted
 * @throws InvalidCallError for a body that was parsed, an empty token or an impossible tolerance
 */
export async function verifyWebhook(
  body: string | ArrayBuffer | Uint8Array,
  headers: WebhookHeaders,
  token: string | undefined,
  options: VerifyWebhookOptions = {},
): Promise<ReceivedWebhook> {
  checkCall(token, options)
  const bytes = bytesOf(body)
  const signature = signatureOf(headers, `X-${options.headerBrand ?? 'Service'}-Signature`)
  const key = token ?? tokenIn(bytes)
  if (!(await isSignedWith(key, signature, bytes)))
    throw new InvalidWebhookError('wrong_signature', 'The signature does not match this body and this token.')
  const received = read(bytes)
  if (received.type !== 'verification') checkAge(received, options.toleranceMilliseconds)
  return received
}

function checkCall(token: string | undefined, { toleranceMilliseconds }: VerifyWebhookOptions): void {
  if (token === '') throw new InvalidCallError('The verification token is empty.')
  if (toleranceMilliseconds !== undefined && !(toleranceMilliseconds >= 0))
    throw new InvalidCallError('toleranceMilliseconds should be a number ≥ 0.')
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // A copy: views of shared memory cannot be signed.
  if (ArrayBuffer.isView(body)) return Uint8Array.from(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  // Compared by name: an ArrayBuffer may come from another realm.
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array((body as ArrayBuffer).slice(0))
  throw new InvalidCallError('The body should be the bytes or the text as received: a parsed body cannot be verified.')
}

/** @returns the bytes of the signature */
function signatureOf(headers: WebhookHeaders, name: string): Uint8Array<ArrayBuffer> {
  const header = headerOf(headers, name)
  if (header === undefined) throw new InvalidWebhookError('missing_signature', `The header ${name} is missing.`)
  const [, digits] = /^sha256=([0-9a-f]{64})$/i.exec(header) ?? []
  if (digits === undefined)
    throw new InvalidWebhookError('malformed_signature', `The header ${name} should be sha256= and 64 hex digits.`)
  return Uint8Array.from({ length: 32 }, (_, index) => parseInt(digits.slice(2 * index, 2 * index + 2), 16))
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers === 'string') return headers
  if (headers === null || headers === undefined) return undefined
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name.toLowerCase() ? (value ?? []) : [],
  )
  return values.length === 0 ? undefined : values.join(', ')
}

function isHeaders(headers: object): headers is Headers {
  return 'get' in headers && typeof headers.get === 'function'
}

/** In constant time: the runtime's own comparison. */
async function isSignedWith(token: string, signature: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { subtle } = crypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await subtle.importKey('raw', new TextEncoder().encode(token), algorithm, false, ['verify'])
  return subtle.verify('HMAC', key, signature, bytes)
}

/** The token in a verification request. */
function tokenIn(bytes: Uint8Array): string {
  const received = read(bytes)
  if (received.type === 'verification') return received.verification_token
  throw new InvalidWebhookError('no_token', 'Without a token, only a verification request can be checked, and this is not one.')
}

function read(bytes: Uint8Array): ReceivedWebhook {
  const value = parsed(bytes)
  if (typeof value === 'object' && value !== null) {
    if ('verification_token' in value && typeof value.verification_token === 'string' && value.verification_token !== '')
      return { type: 'verification', verification_token: value.verification_token }
    // The signature has been checked, or is checked next: the contract guarantees the shape.
    if ('type' in value && typeof value.type === 'string') return value as WebhookEvent
  }
  throw new InvalidWebhookError('unreadable_body', 'The body is neither an event nor a verification request.')
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function checkAge({ timestamp }: WebhookEvent, tolerance: number | undefined): void {
  if (tolerance === undefined) return
  // Negated, so that an invalid timestamp (NaN) is refused too.
  if (!(Math.abs(Date.now() - Date.parse(timestamp)) <= tolerance))
    throw new InvalidWebhookError('outside_tolerance', `The timestamp ${timestamp} of the event is not within the tolerance.`)
}
