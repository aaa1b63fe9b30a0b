import type { Logger } from 'pino'
import { newId } from '../kernel/ids.ts'
import type { FailedRequest, RefusalLog } from '../domain/refused_requests.ts'
import type { Complaint } from '../kernel/errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { setCommonHeaders } from './answer.ts'
import type { Requester } from './requester.ts'
import type { HeaderNames } from './header_names.ts'
import type { Request, Response } from 'express'
import type { Peer } from './peer.ts'
import type { OperationLabel } from './operation_label.ts'
import { shownPath } from './parse_url.ts'

/** Why a request failed, for the log. */
export interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly internal: string | undefined
  readonly complaints?: readonly Pick<Complaint, 'path'>[]
}

/** One request and its answer. */
export interface Exchange {
  /** Made by the service, never taken from the caller. */
  readonly requestId: string
  readonly startedAt: number
  /** The request target, undecoded. */
  readonly target: string
  readonly peer: Peer
  /** `unknown` until the request is routed. */
  operationLabel: OperationLabel
  failure: Failure | undefined
  /** The authenticated caller, or whose session or link it is. */
  caller: FailedRequest['caller']
  /** The fields of the body, once they have been received. */
  body: unknown
  /** Who reads the answer; undefined until `requesterOf` has to find out. */
  requester: Requester | undefined
}

interface ExchangesParts {
  readonly log: Logger
  readonly metrics: Metrics
  readonly headers: HeaderNames
  readonly refusals: RefusalLog
}

/** A property of the response instead of a weak map: the garbage collector would have to clear each entry of the map. */
const EXCHANGE = Symbol('exchange')
type ExchangeResponse = Response & { [EXCHANGE]?: Exchange }

/** The exchange of a response; undefined where none was opened. */
export function exchangeOf(response: ExchangeResponse): Exchange | undefined {
  return response[EXCHANGE]
}

const SERVER_FAULT = 500

/** Gives each request its id and, at its end, records it in the metrics and the log: failures by level, and successes at `debug`. */
export class Exchanges {
  readonly #parts: ExchangesParts

  constructor(parts: ExchangesParts) {
    this.#parts = parts
  }

  /** Opens the exchange of a request and sets the headers that every answer has. */
  open(request: Request, response: ExchangeResponse, peer: Peer): Exchange {
    const exchange: Exchange = {
      requestId: newId(),
      startedAt: performance.now(),
      target: request.originalUrl,
      peer,
      operationLabel: 'unknown',
      failure: undefined,
      caller: undefined,
      body: undefined,
      requester: undefined,
    }
    response[EXCHANGE] = exchange
    setCommonHeaders(response)
    this.#parts.headers.setRequestId(response, exchange.requestId)
    // `close` is emitted once; `once` would add the cost of a wrapper and its removal.
    response.on('close', () => this.#end(exchange, request, response))
    return exchange
  }

  /** Whether `open` has been called for a response. */
  isOpen(response: ExchangeResponse): boolean {
    return exchangeOf(response) !== undefined
  }

  /** The exchange of a response. @throws Error if `open` has not been called for it */
  of(response: ExchangeResponse): Exchange {
    const exchange = exchangeOf(response)
    if (!exchange) throw new Error('this response was never opened')
    return exchange
  }

  #end(exchange: Exchange, request: Request, response: Response): void {
    const { requestId, startedAt, target, peer, operationLabel, failure, caller } = exchange
    const { log, metrics, refusals } = this.#parts
    const seconds = (performance.now() - startedAt) / 1000
    const isComplete = response.writableFinished
    metrics.request({ operation: operationLabel, status: isComplete ? response.statusCode : 'aborted', seconds })
    if (failure) refusals.add(refusalOf(exchange, failure, request.method))
    const level = failure === undefined ? 'debug' : levelOf(failure)
    if (!log.isLevelEnabled(level)) return
    // Headers and queries can hold secrets, so they are not logged.
    log[level](
      {
        request_id: requestId,
        method: request.method,
        path: shownPath(target),
        operation: operationLabel,
        status: response.statusCode,
        duration_ms: Math.round(seconds * 1000),
        address: peer.address,
        ...callerIds(caller),
        ...(isComplete ? {} : { aborted: true }),
        ...(failure === undefined ? {} : { code: failure.code }),
        ...(failure?.internal === undefined ? {} : { internal: failure.internal }),
      },
      failure?.message ?? 'answered',
    )
  }
}

/** The caller's errors are information, temporary failures of the service warnings, and faults of the service errors. */
function levelOf({ status, code }: Failure): 'info' | 'warn' | 'error' {
  if (status < SERVER_FAULT) return 'info'
  return code === 'internal_server_error' ? 'error' : 'warn'
}

/** A place of the request in a message. */
const PLACE = /\b(?:body|query|path)(?:\.\w+|\[\d+\])+/

function refusalOf(
  { requestId, target, operationLabel, caller, body }: Exchange,
  failure: Failure,
  method: string,
): FailedRequest {
  const { status, code, message, complaints = [] } = failure
  const places = complaints.length > 0 ? complaints.map(({ path }) => path) : (PLACE.exec(message)?.slice(0, 1) ?? [])
  return { requestId, method, path: shownPath(target), operation: operationLabel, caller, status, code, message, places, body }
}

/** Undefined members are left out of the log. */
function callerIds(caller: Exchange['caller']): object {
  return caller ? { workspace_id: caller.workspaceId, connection_id: caller.connectionId, member_id: caller.personId } : {}
}
