import type { Response as ExpressResponse } from 'express'
import type { AuthorizationPageError } from '../../domain/oauth/index.ts'
import type { ServiceError } from '../../kernel/errors.ts'
import type { Response } from '../../kernel/response.ts'
import { sendResponse } from '../response.ts'
import { markup } from './html.ts'
import { pageResponse } from './page.ts'

/** The statuses that pages may have. Any other status becomes 400. */
const PAGE_STATUSES: readonly number[] = [400, 403, 404, 429, 500, 503, 529]

const HINT = 'Nothing was shared. Go back to the connection and try again, or tell its developers.'

const TITLES: Readonly<Record<number, string>> = {
  403: 'This was not accepted',
  404: 'Nothing is here',
  429: 'Too many attempts',
  500: 'The service failed',
  503: 'Not available at the moment',
  529: 'Too much to do at the moment',
}

/** Sends an error to a person, as a page. */
export function sendFailurePage(response: ExpressResponse, error: ServiceError): void {
  // The page that was requested may be cacheable, but its error is not.
  response.setHeader('Cache-Control', 'no-store')
  sendResponse(response, failurePageOf(error))
}

export function failurePageOf({ status: own, message, headers }: ServiceError): Response {
  const status = PAGE_STATUSES.includes(own) ? own : 400
  const wait = headers['Retry-After']
  return failurePage({
    status,
    title: TITLES[status] ?? 'This did not work',
    message,
    ...(wait === undefined ? {} : { hint: `You can try again in ${secondsInWords(Number(wait))}.` }),
    headers,
  })
}

function secondsInWords(seconds: number): string {
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The page for an authorization request that must not lead to a redirect. */
export function refusalPage({ status, message }: AuthorizationPageError): Response {
  return failurePage({
    status,
    title: status === 403 ? 'This decision was not accepted' : 'This did not work',
    message,
    hint: HINT,
  })
}

interface FailureText {
  readonly status: number
  readonly title: string
  readonly message: string
  /** How the person can fix the problem. */
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A page that explains an error. */
export function failurePage({ status, title, message, hint, headers = {} }: FailureText): Response {
  const body = markup`<h1>${title}</h1>
<p role="alert">${message}</p>
${hint !== undefined && markup`<p class="soft">${hint}</p>`}`
  return pageResponse({ status, title, isSmall: true, headers, body })
}
