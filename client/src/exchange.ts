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
 * is announced as 0. `parseAs: 'stream'` leaves a successful body to the caller, and `errors` reads that of an error first.
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
    middleware: [serviceHeaders(attempt), errors(attempt), observers(attempt)],
  })
  return response
}

function serviceHeaders(attempt: CallAttempt): Middleware {
  const { operation, options, input } = attempt.prepared
  const sources = { operation, brand: options.headerBrand, options: [input, options], refused: attempt.refused }
  return { onRequest: async ({ request }) => addHeaders(request.headers, sources) }
}

/** Turns error responses, and failures of `fetch`, into errors of the client. */
function errors(attempt: CallAttempt): Middleware {
  return {
    onResponse: async ({ response }) => checkStatus(attempt, response),
    onError: ({ error }) => noResponseError(attempt, error),
  }
}

function observers(attempt: CallAttempt): Middleware {
  const { options, requestIdHeader } = attempt.prepared
  return {
    async onRequest({ request }) {
      attempt.start(request)
      await options.onRequest?.({ ...attempt.details, request })
    },
    async onResponse({ response: { status, headers } }) {
      const { milliseconds, details } = attempt
      options.logger?.debug(`${details.method} ${details.url} ${status}, ${milliseconds} ms, attempt ${details.attempt}`)
      const requestId = headers.get(requestIdHeader) ?? undefined
      await options.onResponse?.({ ...details, status, headers, requestId, milliseconds })
    },
  }
}
