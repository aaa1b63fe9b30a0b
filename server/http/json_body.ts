import { ServiceError } from '../kernel/errors.ts'
import { isDeeperThan } from '../kernel/is_deeper_than.ts'
import { awaitBody } from './admission.ts'
import { isUtf8 } from './charset.ts'
import { raw, type Request, type Response } from 'express'
import type { JsonObject } from '../versions/index.ts'
import { JSON_BODY_BYTES_MAX } from '../kernel/json_body_limit.ts'

const NESTING_MAX = 64

const readBytes = raw({ type: () => true, limit: JSON_BODY_BYTES_MAX })
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Receives and parses a JSON body: an object, at most 512,000 bytes of UTF-8, nested at most 64 levels deep. A missing body counts as `{}`.
 * @throws ServiceError `invalid_json`, or `validation_error` for its size, its nesting or a value that is not an object
 */
export async function receiveJsonBody(request: Request, response: Response): Promise<JsonObject> {
  const bytes = await receiveBytes(request, response)
  if (bytes === undefined) return {}
  requireJsonContentType(request)
  return parseJsonObject(bytes)
}

/**
 * Receives the bytes of a body, decompressed.
 * @returns undefined if the headers of the request announce no body
 * @throws ServiceError `invalid_json` for a charset other than UTF-8 or an unknown content encoding, `validation_error` for its size
 */
export async function receiveBytes(request: Request, response: Response): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined
  await awaitBody(
    response,
    (onBytes) =>
      new Promise<void>((resolve, reject) => {
        // The size of a compressed body cannot be predicted from the bytes that arrive.
        if (request.headers['content-encoding'] === undefined) request.on('data', (chunk: Buffer) => onBytes(chunk.length))
        else onBytes(JSON_BODY_BYTES_MAX)
        readBytes(request, response, (error: unknown) => (error ? reject(bodyReadError(error)) : resolve()))
      }),
  )
  if (!isUtf8(request.headers['content-type'] ?? ''))
    throw invalidJson('The body should be in UTF-8, and its Content-Type should name no other charset.')
  const body: unknown = 'body' in request ? request.body : undefined
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

function hasBody(request: Request): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  return coding !== undefined || length !== '0'
}

/** The media type of a request's body, in lower case and without parameters; empty if there is no `Content-Type`. */
export function mediaTypeOf(request: Request): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** @throws ServiceError `invalid_json` for a media type other than `application/json` */
export function requireJsonContentType(request: Request): void {
  if (mediaTypeOf(request) !== 'application/json') {
    throw invalidJson('The body should be JSON in UTF-8, sent with Content-Type: application/json.')
  }
}

/** Parses a JSON object. @throws ServiceError as `receiveJsonBody` */
export function parseJsonObject(bytes: Buffer): JsonObject {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalidJson('The body is not UTF-8.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ServiceError('invalid_json', { message: 'Error parsing JSON body.', internal: positionOf(error) })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('validation_error', {
      message: `body failed validation: body should be an object, instead was ${kindOf(value)}.`,
    })
  }
  if (isDeeperThan(value, NESTING_MAX)) {
    throw new ServiceError('validation_error', {
      message: `body failed validation: body should be nested at most ${NESTING_MAX} levels deep.`,
    })
  }
  return value as JsonObject
}

/** Where parsing failed, without quoting the body. */
function positionOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const position = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0]
  return position ? `unexpected text ${position}` : 'it ends unexpectedly'
}

function kindOf(value: unknown): string {
  return value === null ? '`null`' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

function invalidJson(message: string): ServiceError {
  return new ServiceError('invalid_json', { message })
}

function bodyReadError(error: unknown): ServiceError {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') {
    const length = typeof error === 'object' && error !== null && 'length' in error ? error.length : undefined
    const found = typeof length === 'number' ? `, instead was \`${length}\`` : ''
    return new ServiceError('validation_error', {
      message: `body failed validation: body should be ≤ \`${JSON_BODY_BYTES_MAX}\` bytes${found}.`,
    })
  }
  if (type === 'encoding.unsupported') return invalidJson('The content encoding of the body is not supported.')
  return new ServiceError('invalid_json', { message: 'The body could not be read.', cause: error })
}
