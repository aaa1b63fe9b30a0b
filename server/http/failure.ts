import type { Request, Response } from './incoming.ts'
import { sendError, toServiceError } from './answer.ts'
import { audienceOf } from './audience.ts'
import type { Exchange } from './exchange.ts'
import { sendOAuthError, setOAuthHeaders, toOAuthFailure } from './oauth/answer.ts'
import { sendFailurePage } from './oauth/failure_page.ts'

/** Answers with an error as the audience understands it, and notes it on the exchange. */
export function answerFailure(
  exchange: Pick<Exchange, 'requestId' | 'target' | 'failure'>,
  request: Request,
  response: Response,
  thrown: unknown,
): void {
  const audience = audienceOf(request, exchange.target)
  if (audience === 'client') {
    const failure = toOAuthFailure(thrown)
    exchange.failure = failure
    setOAuthHeaders(response)
    if (!response.headersSent) sendOAuthError(response, failure, exchange.requestId)
    return
  }
  const failure = toServiceError(thrown)
  exchange.failure = failure
  if (response.headersSent) return
  if (audience === 'person') sendFailurePage(response, failure)
  else sendError(response, failure, exchange.requestId)
}
