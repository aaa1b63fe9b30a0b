import { noteWritten } from './admission.ts'
import type { Response } from 'express'
import { ServiceError } from '../kernel/errors.ts'

/** A browser that has once come by HTTPS does not come otherwise for a year. */
export const HSTS = 'max-age=31536000'

/** Headers of every answer, whatever it says. */
export function setCommonHeaders(response: Response): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Strict-Transport-Security', HSTS)
}

/** A success as it goes over the wire, headers of every answer aside. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** `Set-Cookie` headers. */
  readonly cookies?: readonly string[]
  /** The body, byte for byte. */
  readonly text: string
}

/**
 * A success body with the id of the request in it. A task that is not finished says when to ask again; the operation that started it
 * has been accepted rather than done.
 */
export function objectAnswer(body: object, requestId: string, statuses: readonly number[] = []): Answer {
  const wait = 'poll_after_seconds' in body ? String(body.poll_after_seconds) : undefined
  return {
    status: wait !== undefined && statuses.includes(202) ? 202 : 200,
    headers: wait === undefined ? {} : { 'Retry-After': wait },
    text: withRequestId(JSON.stringify(body), requestId),
  }
}

/** One more member at the end of an object in JSON. The object itself would have to be copied for it. @param text ends in its brace */
function withRequestId(text: string, requestId: string): string {
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"request_id":"${requestId}"}`
}

export function sendAnswer(response: Response, answer: Answer): void {
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  if (answer.cookies && answer.cookies.length > 0) response.setHeader('Set-Cookie', answer.cookies)
  sendText(response, answer.status, answer.text)
}

/** The one place that turns an error into an answer. */
export function sendError(response: Response, error: ServiceError, requestId: string): void {
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  sendText(response, error.status, JSON.stringify(errorBody(error, requestId)))
}

/** An error as its body says it. */
export function errorBody(
  {
    status,
    code,
    message,
    additionalData,
  }: Pick<ServiceError, 'status' | 'message' | 'additionalData'> & { readonly code: string },
  requestId: string,
): object {
  const data = additionalData === undefined ? {} : { additional_data: additionalData }
  return { object: 'error', status, code, message, ...data, request_id: requestId }
}

/** A text that is larger goes out in pieces, so that it shows how fast it is taken. */
const WHOLE_BYTES_MAX = 262_144
const PIECE_BYTES = 65_536

/** JSON, unless the answer has a content type of its own already. */
export function sendText(response: Response, status: number, text: string): void {
  const bytes = Buffer.byteLength(text)
  response.statusCode = status
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', bytes)
  if (response.req.method === 'HEAD') response.end()
  else if (bytes > WHOLE_BYTES_MAX) writePieces(response, Buffer.from(text))
  // As text, the body leaves in one write with the head.
  else response.end(text)
  noteWritten(response, bytes)
}

function writePieces(response: Response, bytes: Buffer, start = 0): void {
  const end = start + PIECE_BYTES
  if (end >= bytes.length) response.end(bytes.subarray(start))
  else if (response.write(bytes.subarray(start, end))) writePieces(response, bytes, end)
  else response.once('drain', () => writePieces(response, bytes, end))
}

/** Any thrown value as the error that goes out: what no one foresaw is a fault of ours, and says nothing about itself. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  return new ServiceError('internal_server_error', {
    message: 'The service failed to handle this request. Nothing was changed.',
    internal: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    cause: thrown,
  })
}
