import type { ErrorRequestHandler, Response } from 'express'
import { OAuthError } from '../kernel/oauth_error.ts'
import { ServiceError } from '../kernel/errors.ts'
import { sendError, toServiceError } from './response.ts'
import { audienceOf } from './audience.ts'
import type { Contexts } from './contexts.ts'
import type { HttpContext } from './http_context.ts'
import { sendOAuthError, setOAuthHeaders, toOAuthFailure } from './oauth/send_oauth_error.ts'
import { sendFailurePage } from './oauth/failure_page.ts'

/** Creates the error handler of the application: it records the error on the context and responds as `respondWithFailure` does. */
export function failureHandler(contexts: Contexts): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const context = contexts.of(response)
    if (response.headersSent) breakOff(context, response, thrown)
    else respondWithFailure(context, isOfExpress(context, thrown) ? noSuchPage() : thrown)
    // Otherwise, the rest of an unread body would block the connection.
    if (!request.complete) request.resume()
  }
}

/** Headers that describe the body of the success response, which is not sent. */
const BODY_HEADERS = ['Content-Length', 'Content-Range', 'Content-Type', 'Content-Disposition', 'ETag', 'Accept-Ranges']

/**
 * Responds with an error: as a page to people, in the form of OAuth to its clients, and in the contract's form to callers of the API. Must
 * be called before any headers are sent.
 */
export function respondWithFailure(context: HttpContext, thrown: unknown): void {
  const { request, response } = context
  for (const name of BODY_HEADERS) response.removeHeader(name)
  const audience = context.audience ?? audienceOf(request, context.target)
  if (audience === 'client') {
    const failure = toOAuthFailure(thrown)
    context.failure = failure
    setOAuthHeaders(response)
    return sendOAuthError(response, failure, context.requestId)
  }
  const failure = toServiceError(thrown)
  context.failure = failure
  if (audience === 'person') sendFailurePage(response, failure)
  else sendError(response, failure, context.requestId)
}

/** Closes the connection, so that the client cannot mistake a partial response for a complete one. */
function breakOff(context: HttpContext, response: Response, thrown: unknown): void {
  if (!response.writableEnded) response.destroy()
  if (!isDisconnect(thrown)) context.failure = toServiceError(thrown)
}

function isDisconnect(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** Whether Express refused to serve a page, for example because its path cannot be decoded or the requested range does not exist. */
function isOfExpress({ operationLabel }: HttpContext, thrown: unknown): boolean {
  if (operationLabel !== 'page' && operationLabel !== 'unknown') return false
  if (thrown instanceof ServiceError || thrown instanceof OAuthError) return false
  return typeof thrown === 'object' && thrown !== null && 'status' in thrown && Number(thrown.status) < 500
}

function noSuchPage(): ServiceError {
  return new ServiceError('invalid_request_url', { message: 'This page does not exist.' })
}
