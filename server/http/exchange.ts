import type { Logger } from 'pino'
import { newId } from '../kernel/ids.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { setCommonHeaders } from './answer.ts'
import type { Requester } from './requester.ts'
import type { HeaderNames } from './headers.ts'
import type { Request, Response } from 'express'
import type { Peer } from './peer.ts'
import type { Subject } from './subject.ts'

/** How a request failed, as the log tells it. */
export interface Failure {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly internal: string | undefined
}

/** One request, from its headers to the end of its answer. */
export interface Exchange {
  /** Minted here, never taken from the caller. */
  readonly requestId: string
  readonly startedAt: number
  /** The target as it came. */
  readonly target: string
  readonly peer: Peer
  subject: Subject
  failure: Failure | undefined
  /** Who waits for the answer, where the path does not tell it. */
  requester: Requester | undefined
}

interface TrafficParts {
  readonly log: Logger
  readonly metrics: Metrics
  readonly headers: HeaderNames
}

/** Kept on the response itself: of a weak map, the garbage collector would have to clear each entry. */
const EXCHANGE = Symbol('exchange')
type Opened = Response & { [EXCHANGE]?: Exchange }

/** The exchange of a response; undefined where none was opened. */
export function exchangeOf(response: Opened): Exchange | undefined {
  return response[EXCHANGE]
}

const PATH_SHOWN_LENGTH_MAX = 200
const SERVER_FAULT = 500

/** Gives every request its id, whatever becomes of it, and writes down how it ended: figures for all, one line for each failure. */
export class Traffic {
  readonly #parts: TrafficParts

  constructor(parts: TrafficParts) {
    this.#parts = parts
  }

  open(request: Request, response: Opened, peer: Peer): Exchange {
    const exchange: Exchange = {
      requestId: newId(),
      startedAt: performance.now(),
      target: request.originalUrl,
      peer,
      subject: 'unknown',
      failure: undefined,
      requester: undefined,
    }
    response[EXCHANGE] = exchange
    setCommonHeaders(response)
    this.#parts.headers.setRequestId(response, exchange.requestId)
    // It closes once; `once` itself would cost a wrapper and its removal.
    response.on('close', () => this.#end(exchange, request, response))
    return exchange
  }

  isOpen(response: Opened): boolean {
    return exchangeOf(response) !== undefined
  }

  /** The exchange of a response that `open` has seen. */
  of(response: Opened): Exchange {
    const exchange = exchangeOf(response)
    if (!exchange) throw new Error('this response was never opened')
    return exchange
  }

  #end({ requestId, startedAt, target, peer, subject, failure }: Exchange, request: Request, response: Response): void {
    const { log, metrics } = this.#parts
    const seconds = (performance.now() - startedAt) / 1000
    const isComplete = response.writableFinished
    metrics.request({ operation: subject, status: isComplete ? response.statusCode : 'aborted', seconds })
    const level = failure === undefined ? 'debug' : levelOf(failure)
    if (!log.isLevelEnabled(level)) return
    // Neither headers nor query: that is where secrets travel.
    log[level](
      {
        request_id: requestId,
        method: request.method,
        path: pathOf(target),
        operation: subject,
        status: response.statusCode,
        duration_ms: Math.round(seconds * 1000),
        address: peer.address,
        ...(isComplete ? {} : { aborted: true }),
        ...(failure === undefined ? {} : { code: failure.code }),
        ...(failure?.internal === undefined ? {} : { internal: failure.internal }),
      },
      failure?.message ?? 'answered',
    )
  }
}

/** What a caller did wrong is for information, what the service cannot do at the moment a warning, what it did wrong an error. */
function levelOf({ status, code }: Failure): 'info' | 'warn' | 'error' {
  if (status < SERVER_FAULT) return 'info'
  return code === 'internal_server_error' ? 'error' : 'warn'
}

function pathOf(target: string): string {
  return (target.split('?', 1)[0] ?? '').slice(0, PATH_SHOWN_LENGTH_MAX)
}
