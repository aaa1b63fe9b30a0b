import type { Request, Response as ExpressResponse, Router } from 'express'
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

export type PageHandler = (parts: Dependencies, page: PageRequest) => Promise<Response>

type ServePage = (method: 'get' | 'post', path: string, handler: PageHandler) => void

/** Registers pages that only people use, in a browser. */
export function servePersonPages(app: Router, parts: Dependencies): ServePage {
  return (method, path, handler) => {
    app[method](path, (request: Request, response: ExpressResponse) => answerPage(parts, handler, request, response))
  }
}

async function answerPage(parts: Dependencies, handler: PageHandler, request: Request, response: ExpressResponse): Promise<void> {
  const context = parts.contexts.of(response)
  context.operationLabel = 'page'
  // Errors are pages too, whatever the Accept header says.
  context.audience = 'person'
  parts.admission.admit(response)
  parts.admission.limitUnauthenticated(response)
  requireTransport(context, parts.requiresHttps)
  const session = await sessionOf(parts.database, request, parts.baseUrl(), parts.clock.now())
  context.callerIds = session && { personId: session.personId }
  sendResponse(response, await handler(parts, { request, response, context, session }))
}

export function formQueryOf(request: Request): FormFields {
  return parseForm(request.originalUrl.split('?')[1] ?? '')
}
