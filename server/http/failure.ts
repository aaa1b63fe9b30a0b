import { methodOf, type Request, type Response } from './incoming.ts'
import { findRoute } from '../contract/operation.ts'
import { sendError, toServiceError } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { sendOAuthError, setOAuthHeaders, toOAuthFailure } from './oauth/answer.ts'
import { sendFailurePage } from './oauth/failure_page.ts'
import { parseUrl } from './url.ts'

/** Who waits for an answer: a caller of the API, an OAuth client, or a person with a browser. */
export type Audience = 'api' | 'client' | 'person'

/** A path that is written in another way has to be read to be known. */
const MAY_BE_OAUTH = /^\/v1\/oauth\/|%/

/** Told by the path and method alone, so that it is known before anything is checked. */
function audienceOf(request: Request, target: string): Audience {
  if (!MAY_BE_OAUTH.test(target)) return 'api'
  try {
    const match = findRoute(methodOf(request), parseUrl(target).segments)
    const credentials = match && 'operation' in match ? match.operation.credentials : 'bearer'
    return credentials === 'client' ? 'client' : credentials === 'none' ? 'person' : 'api'
  } catch {
    return 'api'
  }
}

/** Answers with an error as the audience understands it, and notes it on the exchange. */
export function answerFailure(exchange: Exchange, request: Request, response: Response, thrown: unknown): void {
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
