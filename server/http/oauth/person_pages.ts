import type { Request, Response as ExpressResponse, Router } from 'express'
import { withOrigin } from '../../domain/administration/index.ts'
import type { Session } from '../../domain/people/index.ts'
import type { Response } from '../../kernel/response.ts'
import { sendResponse } from '../response.ts'
import type { Dependencies } from '../dependencies.ts'
import type { HttpContext } from '../http_context.ts'
import { requireTransport } from '../require_transport.ts'
import { sessionOf } from './browser.ts'
import { parseForm, type FormFields } from './oauth_body.ts'

interface PageRequest {
  readonly request: Request
  readonly response: ExpressResponse
  readonly context: HttpContext
  readonly session: Session | undefined
}

export type PageHandler = (deps: Dependencies, page: PageRequest) => Promise<Response>

type ServePage = (method: 'get' | 'post', path: string, handler: PageHandler) => void

/** Registers pages that only people use, in a browser. */
export function servePersonPages(app: Router, deps: Dependencies): ServePage {
  return (method, path, handler) => {
    app[method](path, (request: Request, response: ExpressResponse) => respondWithPage(deps, handler, request, response))
  }
}

/** Responds to a person's request with a page, even if there is an error. */
export async function respondWithPage(
  deps: Dependencies,
  handler: PageHandler,
  request: Request,
  response: ExpressResponse,
): Promise<void> {
  const context = deps.contexts.of(response)
  context.operationLabel = 'page'
  // Errors are pages as well, whatever the Accept header says.
  context.audience = 'person'
  deps.admission.admit(response)
  deps.admission.limitUnauthenticated(response)
  requireTransport(context, deps.requiresHttps)
  const session = await sessionOf(deps.database, request, deps.baseUrl(), deps.clock.now())
  context.callerIds = session && { personId: session.personId }
  const recorded = { ...deps, database: withOrigin(deps.database, context) }
  sendResponse(response, await handler(recorded, { request, response, context, session }))
}

export function formQueryOf(request: Request): FormFields {
  return parseForm(request.originalUrl.split('?')[1] ?? '')
}
