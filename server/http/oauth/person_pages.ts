import type { Request, Response, Router } from 'express'
import type { Session } from '../../domain/people/sessions.ts'
import { sendAnswer, type RenderedAnswer } from '../answer.ts'
import type { ChainParts } from '../chain_parts.ts'
import type { Exchange } from '../exchanges.ts'
import { requireTransport } from '../require_transport.ts'
import { sessionOf } from './browser.ts'
import { parseForm, type FormFields } from './oauth_body.ts'

interface PageRequest {
  readonly request: Request
  readonly response: Response
  readonly exchange: Exchange
  readonly session: Session | undefined
}

export type PageHandler = (parts: ChainParts, page: PageRequest) => Promise<RenderedAnswer>

type ServePage = (method: 'get' | 'post', path: string, handler: PageHandler) => void

/** Registers pages that only people use, in a browser. */
export function servePersonPages(app: Router, parts: ChainParts): ServePage {
  return (method, path, handler) => {
    app[method](path, (request: Request, response: Response) => answerPage(parts, handler, request, response))
  }
}

async function answerPage(parts: ChainParts, handler: PageHandler, request: Request, response: Response): Promise<void> {
  const exchange = parts.exchanges.of(response)
  exchange.operationLabel = 'page'
  // Errors are pages too, whatever the Accept header says.
  exchange.requester = 'person'
  parts.admission.admit(response)
  parts.admission.limitUnauthenticated(response)
  requireTransport(exchange, request, parts.requiresHttps)
  const session = await sessionOf(parts.database, request, parts.baseUrl(), parts.clock.now())
  exchange.caller = session && { personId: session.personId }
  sendAnswer(response, await handler(parts, { request, response, exchange, session }))
}

export function formQueryOf(request: Request): FormFields {
  return parseForm(request.originalUrl.split('?')[1] ?? '')
}
