import type { Response } from '../incoming.ts'
import type { AuthorizationPageError } from '../../domain/oauth/refusals.ts'
import type { ServiceError } from '../../kernel/errors.ts'
import { sendAnswer, type Answer } from '../answer.ts'
import { markup } from './html.ts'
import { pageAnswer } from './page.ts'

/** Statuses that the contract declares for pages; what is not among them is the request's fault. */
const PAGE_STATUSES: readonly number[] = [400, 403, 429, 500, 503, 529]

const HINT = 'Nothing was shared. Go back to the connection and try again, or tell its makers.'

/** An error of the service's table, to a person. */
export function sendFailurePage(response: Response, error: ServiceError): void {
  const status = PAGE_STATUSES.includes(error.status) ? error.status : 400
  sendAnswer(response, failurePage({ status, title: 'This did not work', message: error.message, headers: error.headers }))
}

/** A request that leads nowhere: the browser stays here. */
export function refusalPage({ status, message }: AuthorizationPageError): Answer {
  return failurePage({
    status,
    title: status === 403 ? 'This decision was not accepted' : 'This did not work',
    message,
    hint: HINT,
  })
}

interface FailureWords {
  readonly status: number
  readonly title: string
  readonly message: string
  /** What to do now. */
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function failurePage({ status, title, message, hint, headers = {} }: FailureWords): Answer {
  const body = markup`<h1>${title}</h1>
<p role="alert">${message}</p>
${hint !== undefined && markup`<p class="soft">${hint}</p>`}`
  return pageAnswer({ status, title, isSmall: true, headers, body })
}
