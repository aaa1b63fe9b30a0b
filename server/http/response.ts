import { trackResponse } from './admission.ts'
import type { Response as ExpressResponse } from 'express'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../kernel/errors.ts'
import type { Response } from '../kernel/response.ts'
import { chunkEnd } from '../kernel/text_chunks.ts'
import { jsonText } from './json_text.ts'

/** Makes browsers that have used HTTPS once use only HTTPS for a year. */
export const HSTS = 'max-age=31536000'

/** Sets the headers that every response has, errors included. */
export function setCommonHeaders(response: ExpressResponse): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Strict-Transport-Security', HSTS)
}

/**
 * The response with an object as its body, to which the request id is added. If the body describes a running task (it has
 * `poll_after_seconds`), the response has a `Retry-After` header, and the status 202 if the operation allows it.
 */
export async function objectResponse(
  body: object,
  { statuses }: Pick<Operation, 'statuses'>,
  requestId: string,
): Promise<Response> {
  const wait = 'poll_after_seconds' in body ? String(body.poll_after_seconds) : undefined
  const headers: Record<string, string> = wait === undefined ? {} : { 'Retry-After': wait }
  const status = wait !== undefined && statuses.includes(202) ? 202 : 200
  return { status, headers, text: await jsonText(body, `"request_id":"${requestId}"`) }
}

export function sendResponse(response: ExpressResponse, result: Response): void {
  for (const [name, value] of Object.entries(result.headers)) response.setHeader(name, value)
  if (result.cookies && result.cookies.length > 0) response.setHeader('Set-Cookie', result.cookies)
  sendText(response, result.status, result.text)
}

/** Sends an error in the contract's form. */
export function sendError(response: ExpressResponse, error: ServiceError, requestId: string): void {
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  sendText(response, error.status, JSON.stringify(errorBody(error, requestId)))
}

/** The body of an error response. */
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

/** Larger texts are written in chunks, so that the client's reading rate can be measured. */
const SINGLE_WRITE_BYTES_MAX = 262_144
const CHUNK_LENGTH = 65_536

/** Sends a body, as JSON unless a `Content-Type` header has been set. */
export function sendText(response: ExpressResponse, status: number, text: string): void {
  const bytes = Buffer.byteLength(text)
  response.statusCode = status
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', bytes)
  if (response.req.method === 'HEAD') response.end()
  else if (bytes > SINGLE_WRITE_BYTES_MAX) writeChunks(response, text)
  // Node then writes the string together with the headers, in one system call.
  else response.end(text)
  trackResponse(response, bytes)
}

function writeChunks(response: ExpressResponse, text: string, start = 0): void {
  const end = chunkEnd(text, start, CHUNK_LENGTH)
  if (end >= text.length) response.end(text.slice(start))
  else if (response.write(text.slice(start, end))) writeChunks(response, text, end)
  else response.once('drain', () => writeChunks(response, text, end))
}

/** Converts any thrown value to a ServiceError. Unexpected errors become `internal_server_error` and reveal no details to the client. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown
  return new ServiceError('internal_server_error', {
    message: 'The service failed to handle this request. Nothing was changed.',
    internal: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    cause: thrown,
  })
}
