import type { Duplex } from 'node:stream'
import type { Response as ExpressResponse } from 'express'
import type { Logger } from 'pino'
import { ServiceError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { RefusalLog } from '../domain/shared/index.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Response } from '../kernel/response.ts'
import { HSTS } from './response.ts'
import { isNavigation, mayBePage } from './audience.ts'
import type { HeaderNames } from './header_names.ts'
import { failurePageOf } from './oauth/failure_page.ts'

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and headers of this request are larger than 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'This request did not arrive in time.',
  TRANSFER_ENCODING_IN_HTTP_1_0: 'An HTTP/1.0 request cannot have a Transfer-Encoding.',
  TRANSFER_ENCODING_UNKNOWN: 'The only supported Transfer-Encoding is `chunked`.',
}
/** The time after a response that the client has to close the connection, before the service closes it. */
const CLOSE_TIMEOUT_MS = 5_000

/** A property of the socket: the response to the latest request on it. */
const LATEST = Symbol('latest')
type ConnectionSocket = Duplex & { [LATEST]?: ExpressResponse }

/**
 * Records a request as the latest on its connection, so that responses are sent in the order of the requests.
 * @returns false if the request can no longer get a response and must not be performed, for example after a malformed request on the same
 * connection
 */
export function recordRequest(socket: ConnectionSocket, response: ExpressResponse): boolean {
  if (!socket.writable) return false
  socket[LATEST] = response
  return true
}

/** Whether the response to the latest request on a connection is incomplete. */
export function isAwaitingResponse(socket: ConnectionSocket): boolean {
  const latest = socket[LATEST]
  return latest !== undefined && !latest.closed
}

interface MalformedRequestDeps {
  readonly headers: HeaderNames
  readonly log: Logger
  readonly metrics: Metrics
  readonly refusals: RefusalLog
}

/** Node's error for a request that it could not parse. */
interface MalformedRequestError extends Error {
  readonly code?: string
  /** The packet in which parsing failed. */
  readonly rawPacket?: unknown
}

/**
 * Responds to a request that is not valid HTTP with the contract's error, or with a page if a browser seems to have sent it, and closes the
 * connection. If an earlier request on the connection still waits for its response, that response is sent, as the last one.
 */
export function respondToMalformedRequest(
  deps: MalformedRequestDeps,
  error: MalformedRequestError,
  socket: ConnectionSocket,
): void {
  const latest = socket[LATEST]
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
  else if (latest === undefined) sendRefusal(deps, error, socket)
  else if (latest.writableFinished || latest.destroyed) {
    if (latest.req.complete) sendRefusal(deps, error, socket)
    else socket.destroy()
  } else if (latest.req.complete || latest.headersSent) {
    if (!latest.headersSent) latest.setHeader('Connection', 'close')
    latest.once('close', () => socket.destroy())
  } else if (latest.socket) sendRefusal(deps, error, socket)
  else latest.once('socket', () => sendRefusal(deps, error, socket))
}

function sendRefusal(
  { headers, log, metrics, refusals }: MalformedRequestDeps,
  error: MalformedRequestError,
  socket: ConnectionSocket,
): void {
  metrics.refused('broken_http')
  const requestId = newId()
  const message = MESSAGES[error.code ?? ''] ?? 'This request is not valid HTTP.'
  log.info({ request_id: requestId, status: 400, code: 'invalid_request', reason: error.code }, message)
  const failure = new ServiceError('invalid_request', { message })
  refusals.add({
    ...{ requestId, method: '', path: '', operation: 'unknown', caller: undefined },
    ...{ status: failure.status, code: failure.code, message, places: [], body: undefined },
  })
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
  const timeout = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref()
  socket.once('close', () => clearTimeout(timeout))
}

const PACKET_BYTES_EXAMINED = 65_536

/**
 * Whether a browser seems to have opened a page. Browsers send all headers in one packet, so the packet contains them even if parsing
 * failed early.
 */
function isFromBrowser({ rawPacket }: MalformedRequestError): boolean {
  if (!Buffer.isBuffer(rawPacket)) return false
  const text = rawPacket.toString('latin1', 0, PACKET_BYTES_EXAMINED)
  const target = /^[A-Z]{1,20} ([^ \r\n]+)/.exec(text)?.[1]
  return target !== undefined && mayBePage(target) && isNavigation(/\naccept:([^\r\n]*)/i.exec(text)?.[1])
}

function jsonOf({ status, code, message }: ServiceError, requestId: string): Pick<Response, 'headers' | 'text'> {
  return {
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    text: JSON.stringify({ object: 'error', status, code, message, request_id: requestId }),
  }
}
