import type { Request, Response } from 'express'
import { sendAnswer, type RenderedAnswer } from './answer.ts'
import type { ChainParts } from './chain_parts.ts'
import { requireTransport } from './require_transport.ts'

/** Sends a page that needs neither a sign-in nor the database. Errors of its request are pages, too. */
export function sendPage(
  parts: Pick<ChainParts, 'exchanges' | 'requiresHttps'>,
  request: Request,
  response: Response,
  page: RenderedAnswer,
): void {
  const exchange = parts.exchanges.of(response)
  exchange.operationLabel = 'page'
  exchange.requester = 'person'
  requireTransport(exchange, request, parts.requiresHttps)
  sendAnswer(response, page)
}
