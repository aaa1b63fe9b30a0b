import type { Middleware } from 'openapi-fetch'
import { addHeaders } from './headers.ts'
import type { CallAttempt } from './call_attempt.ts'
import type { FetchClient } from './fetch.ts'
import { serializeBody } from './request.ts'
import { checkStatus, noResponseError } from './responses.ts'

/** openapi-fetch without the types of the contract, for operations that are known only at run time. */
type AnyRequest = (method: string, path: string, init: object) => Promise<{ readonly response: Response }>

/**
 * Sends one attempt through openapi-fetch, with the middleware of the client.
 *
 * openapi-fetch would read the bodies of responses without a limit, fail with a SyntaxError at a proxy's page, and drop a body whose length
 * is announced as 0. `parseAs: 'stream'` leaves a successful body to the caller, and `checkStatus` reads that of an error first.
 * @returns the headers of a successful response, whose body has not been read
 */
export async function exchange(core: FetchClient, attempt: CallAttempt, signal: AbortSignal): Promise<Response> {
  const { operation, input, headers } = attempt.prepared
  const statuses = operation.statuses ?? []
  const { response } = await (core.request as AnyRequest)(operation.method, operation.path, {
    params: { path: input.path ?? {}, query: input.query ?? {} },
    body: input.body,
    bodySerializer: (body: unknown) => serializeBody(operation, body),
    headers,
    signal,
    parseAs: 'stream',
    // Following a redirect would turn a write into a read of another operation that seems to succeed. If the contract
    // defines a redirect, the redirect is the response.
    redirect: operation.method === 'get' && !statuses.includes(302) ? 'follow' : 'manual',
    middleware: [attemptSteps(attempt)],
  })
  return response
}

/** Adds headers, calls the hooks, and turns error responses and failures of `fetch` into errors of the client. */
function attemptSteps(attempt: CallAttempt): Middleware {
  const { operation, options, input, requestIdHeader } = attempt.prepared
  const { headerBrand: brand, logger } = options
  return {
    async onRequest({ request }) {
      await addHeaders(request.headers, { operation, brand, options: [input, options], refused: attempt.refused })
      attempt.start(request)
      await options.onRequest?.({ ...attempt.details, request })
    },
    async onResponse({ response }) {
      if (logger ?? options.onResponse) {
        const { status, headers } = response
        const { milliseconds, details } = attempt
        logger?.debug(`${details.method} ${details.url} ${status}, ${milliseconds} ms, attempt ${details.attempt}`)
        const requestId = headers.get(requestIdHeader) ?? undefined
        await options.onResponse?.({ ...details, status, headers, requestId, milliseconds })
      }
      return checkStatus(attempt, response)
    },
    onError: ({ error }) => noResponseError(attempt, error),
  }
}
