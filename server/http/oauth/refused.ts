import type { RenderedAnswer } from '../answer.ts'
import type { Exchange } from '../exchanges.ts'

/** Why a request is refused, for the log and `request show`. */
interface Reason {
  readonly code: string
  readonly message: string
  /** Invalid places of the request, such as `query.client_id`. */
  readonly places?: readonly string[]
}

/** Records that an answer, a page or a redirect, refuses its request. @returns the answer */
export function refused(exchange: Exchange, answer: RenderedAnswer, { code, message, places = [] }: Reason): RenderedAnswer {
  const complaints = places.map((path) => ({ path }))
  exchange.failure = { status: answer.status, code, message, internal: undefined, complaints }
  return answer
}
