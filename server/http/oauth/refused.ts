import type { Response } from '../../kernel/response.ts'
import type { HttpContext } from '../http_context.ts'

/** Why a request is refused, for the log and `request show`. */
interface Reason {
  readonly code: string
  readonly message: string
  /** The invalid paths of the request, such as `query.client_id`. */
  readonly places?: readonly string[]
}

/**
 * Records that a response, whether a page or a redirect, refuses its request.
 * @returns the response
 */
export function refused(context: HttpContext, response: Response, { code, message, places = [] }: Reason): Response {
  const complaints = places.map((path) => ({ path }))
  context.failure = { status: response.status, code, message, internal: undefined, complaints }
  return response
}
