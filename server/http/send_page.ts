import type { Response as ExpressResponse } from 'express'
import type { Response } from '../kernel/response.ts'
import { sendResponse } from './response.ts'
import type { Dependencies } from './dependencies.ts'
import { requireTransport } from './require_transport.ts'

/** Sends a page that needs neither a sign-in nor the database. Errors are sent as pages as well. */
export function sendPage(
  deps: Pick<Dependencies, 'contexts' | 'requiresHttps'>,
  response: ExpressResponse,
  page: Response,
): void {
  const context = deps.contexts.of(response)
  context.operationLabel = 'page'
  context.audience = 'person'
  requireTransport(context, deps.requiresHttps)
  sendResponse(response, page)
}
