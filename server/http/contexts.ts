import type { Logger } from 'pino'
import { newId } from '../kernel/ids.ts'
import type { FailedRequest, RefusalLog } from '../domain/shared/index.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { setCommonHeaders } from './response.ts'
import { HttpContext, type Failure } from './http_context.ts'
import type { HeaderNames } from './header_names.ts'
import type { Request, Response } from 'express'
import type { RemoteClient } from './remote_client.ts'
import { shownPath } from './parse_url.ts'

interface ContextsDeps {
  readonly log: Logger
  readonly metrics: Metrics
  readonly headers: HeaderNames
  readonly refusals: RefusalLog
}

/** Stored as a property of the response. With a weak map, the garbage collector would have to clear an entry for each request. */
const CONTEXT = Symbol('context')
type OpenedResponse = Response & { [CONTEXT]?: HttpContext }

/** The context of a response; undefined if none was opened. */
export function contextOf(response: OpenedResponse): HttpContext | undefined {
  return response[CONTEXT]
}

const SERVER_FAULT = 500

/** Gives each request its id and, at its end, records it in the metrics and the log: failures by level, and successes at `debug`. */
export class Contexts {
  readonly #deps: ContextsDeps

  constructor(deps: ContextsDeps) {
    this.#deps = deps
  }

  /** Opens the context of a request and sets the headers that every response has. */
  open(request: Request, response: OpenedResponse, remote: RemoteClient): HttpContext {
    const context = new HttpContext(request, response, { requestId: newId(), remote })
    response[CONTEXT] = context
    setCommonHeaders(response)
    this.#deps.headers.setRequestId(response, context.requestId)
    // `close` is emitted only once. `once` would cost a wrapper and its removal.
    response.on('close', () => this.#end(context))
    return context
  }

  /** Whether `open` has been called for a response. */
  isOpen(response: OpenedResponse): boolean {
    return contextOf(response) !== undefined
  }

  /** The context of a response. @throws Error if `open` has not been called for it */
  of(response: OpenedResponse): HttpContext {
    const context = contextOf(response)
    if (!context) throw new Error('this response was never opened')
    return context
  }

  #end(context: HttpContext): void {
    const { request, response } = context
    const { requestId, startedAt, target, remote, operationLabel, failure, callerIds } = context
    const { log, metrics, refusals } = this.#deps
    const seconds = (performance.now() - startedAt) / 1000
    const isComplete = response.writableFinished
    metrics.request({ operation: operationLabel, status: isComplete ? response.statusCode : 'aborted', seconds })
    if (failure) refusals.add(refusalOf(context, failure, request.method))
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
        address: remote.address,
        ...loggedIds(callerIds),
        ...(isComplete ? {} : { aborted: true }),
        ...(failure === undefined ? {} : { code: failure.code }),
        ...(failure?.internal === undefined ? {} : { internal: failure.internal }),
      },
      failure?.message ?? 'answered',
    )
  }
}

/**
 * The level at which a failure is logged: errors of the caller as information, temporary failures of the service as warnings, and faults of
 * the service as errors.
 */
function levelOf({ status, code }: Failure): 'info' | 'warn' | 'error' {
  if (status < SERVER_FAULT) return 'info'
  return code === 'internal_server_error' ? 'error' : 'warn'
}

/** Matches a path of the request in a message. */
const PLACE = /\b(?:body|query|path)(?:\.\w+|\[\d+\])+/

function refusalOf(
  { requestId, target, operationLabel, callerIds: caller, body }: HttpContext,
  failure: Failure,
  method: string,
): FailedRequest {
  const { status, code, message, complaints = [] } = failure
  const places = complaints.length > 0 ? complaints.map(({ path }) => path) : (PLACE.exec(message)?.slice(0, 1) ?? [])
  return { requestId, method, path: shownPath(target), operation: operationLabel, caller, status, code, message, places, body }
}

/** The ids of a caller for the log, which omits undefined members. */
function loggedIds(caller: HttpContext['callerIds']): object {
  return caller ? { workspace_id: caller.workspaceId, connection_id: caller.connectionId, member_id: caller.personId } : {}
}
