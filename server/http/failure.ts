import type { ErrorRequestHandler, Request, Response } from 'express'
import { OAuthError } from '../kernel/oauth_error.ts'
import { ServiceError } from '../kernel/errors.ts'
import { sendError, toServiceError } from './answer.ts'
import { requesterOf } from './requester.ts'
import type { Exchange, Traffic } from './exchange.ts'
import { sendOAuthError, setOAuthHeaders, toOAuthFailure } from './oauth/answer.ts'
import { sendFailurePage } from './oauth/failure_page.ts'

/** The one place where what was thrown becomes an answer: as its requester understands it, and noted on the exchange. */
export function failureHandler(traffic: Traffic): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const exchange = traffic.of(response)
    if (response.headersSent) breakOff(exchange, response, thrown)
    else answerFailure(exchange, request, response, isOfExpress(exchange, thrown) ? noSuchPage() : thrown)
    // A body that was never read would keep the connection busy.
    if (!request.complete) request.resume()
  }
}

/** What describes the body that was to be sent. */
const BODY_HEADERS = ['Content-Length', 'Content-Range', 'Content-Type', 'Content-Disposition', 'ETag', 'Accept-Ranges']

/** What of an exchange decides how its failure is told. */
type Failing = Pick<Exchange, 'requestId' | 'target' | 'requester' | 'failure'>

/** Answers with an error as the requester understands it. Nothing has gone out yet. */
export function answerFailure(exchange: Failing, request: Request, response: Response, thrown: unknown): void {
  for (const name of BODY_HEADERS) response.removeHeader(name)
  const requester = exchange.requester ?? requesterOf(request, exchange.target)
  if (requester === 'client') {
    const failure = toOAuthFailure(thrown)
    exchange.failure = failure
    setOAuthHeaders(response)
    return sendOAuthError(response, failure, exchange.requestId)
  }
  const failure = toServiceError(thrown)
  exchange.failure = failure
  if (requester === 'person') sendFailurePage(response, failure)
  else sendError(response, failure, exchange.requestId)
}

/** Half an answer is none: its reader sees the connection break. */
function breakOff(exchange: Exchange, response: Response, thrown: unknown): void {
  if (!response.writableEnded) response.destroy()
  if (!isReaderGone(thrown)) exchange.failure = toServiceError(thrown)
}

function isReaderGone(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** Whether Express could not serve a page, because of a path that cannot be decoded or a range that does not exist: no fault of ours. */
function isOfExpress({ subject }: Exchange, thrown: unknown): boolean {
  if (subject !== 'page' && subject !== 'unknown') return false
  if (thrown instanceof ServiceError || thrown instanceof OAuthError) return false
  return typeof thrown === 'object' && thrown !== null && 'status' in thrown && Number(thrown.status) < 500
}

function noSuchPage(): ServiceError {
  return new ServiceError('invalid_request_url', { message: 'There is no such page.' })
}
