import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Response } from 'express'
import type { Logger } from 'pino'
import { ServiceError } from '../kernel/errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { HSTS, type Answer } from './answer.ts'
import { isNavigation, mayBePage } from './requester.ts'
import type { HeaderNames } from './headers.ts'
import { failurePageOf } from './oauth/failure_page.ts'

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and headers of this request are larger than 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'This request did not arrive in time.',
  TRANSFER_ENCODING_IN_HTTP_1_0: 'A request of HTTP/1.0 cannot have a Transfer-Encoding.',
  TRANSFER_ENCODING_UNKNOWN: 'The only Transfer-Encoding that is read here is `chunked`.',
}
/** A connection that its client leaves open after the last answer is closed. */
const GOODBYE_MS = 5_000

/** Kept on the connection: the response to the last request that came in by it. */
const LATEST = Symbol('latest')
type Line = Duplex & { [LATEST]?: Response }

/**
 * Records that a request has come in, so that nothing is answered out of turn.
 * @returns whether anyone can still be answered; behind a broken request nothing is carried out
 */
export function noteRequest(socket: Line, response: Response): boolean {
  if (!socket.writable) return false
  socket[LATEST] = response
  return true
}

/** Whether someone waits for an answer on a connection. */
export function isAwaited(socket: Line): boolean {
  const latest = socket[LATEST]
  return latest !== undefined && !latest.closed
}

interface MalformedRequestParts {
  readonly headers: HeaderNames
  readonly log: Logger
  readonly metrics: Metrics
}

/** What Node tells of a request that it could not read. */
interface MalformedRequest extends Error {
  readonly code?: string
  /** The bytes that came last. */
  readonly rawPacket?: unknown
}

/**
 * A request that is no HTTP gets the contract's error too, over the bare socket, unless it has had its answer; as a page, if a browser
 * can be told from it. Those that came in before it get theirs first, and are the last then.
 */
export function answerMalformedRequest(parts: MalformedRequestParts, error: MalformedRequest, socket: Line): void {
  const latest = socket[LATEST]
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
  else if (latest === undefined) sendRefusal(parts, error, socket)
  else if (latest.writableFinished || latest.destroyed) {
    if (latest.req.complete) sendRefusal(parts, error, socket)
    else socket.destroy()
  } else if (latest.req.complete || latest.headersSent) {
    if (!latest.headersSent) latest.setHeader('Connection', 'close')
    latest.once('close', () => socket.destroy())
  } else if (latest.socket) sendRefusal(parts, error, socket)
  else latest.once('socket', () => sendRefusal(parts, error, socket))
}

function sendRefusal({ headers, log, metrics }: MalformedRequestParts, error: MalformedRequest, socket: Line): void {
  metrics.refused('broken_http')
  const requestId = randomUUID()
  const message = MESSAGES[error.code ?? ''] ?? 'This request is not valid HTTP.'
  log.info({ request_id: requestId, status: 400, code: 'invalid_request', reason: error.code }, message)
  const failure = new ServiceError('invalid_request', { message })
  const { headers: own, text } = isFromBrowser(error) ? failurePageOf(failure) : jsonOf(failure, requestId)
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      ...Object.entries(own).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(text)}`,
      ...headers.requestIdNames.map((name) => `${name}: ${requestId}`),
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `Strict-Transport-Security: ${HSTS}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
  const goodbye = setTimeout(() => socket.destroy(), GOODBYE_MS).unref()
  socket.once('close', () => clearTimeout(goodbye))
}

const PACKET_BYTES_READ = 65_536

/** Browsers send the request line and all headers at once: what was too much for the parser is there to be looked at. */
function isFromBrowser({ rawPacket }: MalformedRequest): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false
  const text = rawPacket.toString('latin1', 0, PACKET_BYTES_READ)
  const target = /^[A-Z]{1,20} ([^ \r\n]+)/.exec(text)?.[1]
  return target !== undefined && mayBePage(target) && isNavigation(/\naccept:([^\r\n]*)/i.exec(text)?.[1])
}

function jsonOf({ status, code, message }: ServiceError, requestId: string): Pick<Answer, 'headers' | 'text'> {
  return {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    text: JSON.stringify({ object: 'error', status, code, message, request_id: requestId }),
  }
}
