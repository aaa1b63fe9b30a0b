import type { Router } from 'express'
import { listAuthorizations, revokeAuthorization } from '../../domain/oauth/index.ts'
import { formToken, isFormToken, type Session } from '../../domain/people/index.ts'
import { idIn } from '../../kernel/ids.ts'
import type { Response } from '../../kernel/response.ts'
import type { Dependencies } from '../dependencies.ts'
import { fieldOf, receiveFormFields } from './browser.ts'
import { connectionsPage, type Notice } from './connections_page.ts'
import { failurePage } from './failure_page.ts'
import { redirectResponse } from './page.ts'
import { formQueryOf, servePersonPages, type PageHandler } from './person_pages.ts'
import { refused } from './refused.ts'
import { basePath, CONNECTIONS_PATH, REVOKE_PATH, SIGN_IN_PATH } from './site_paths.ts'

/** Serves the page on which people see the connections that they have authorized, and revoke access. */
export function serveConnections(app: Router, deps: Dependencies): void {
  const serve = servePersonPages(app, deps)
  serve('get', CONNECTIONS_PATH, showConnections)
  serve('post', REVOKE_PATH, revoke)
}

const showConnections: PageHandler = async (deps, { request, session }) => {
  if (!session) return redirectToSignIn(deps)
  const isRevoked = fieldOf(formQueryOf(request), 'revoked') !== undefined
  return pageOf(deps, session, isRevoked ? { text: 'The connection has no access any more.', isError: false } : undefined)
}

const revoke: PageHandler = async (deps, { request, response, context, session }) => {
  const fields = await receiveFormFields(request, response)
  if (!session) return redirectToSignIn(deps)
  if (!isFormToken(session.secret, fieldOf(fields, 'csrf_token'))) {
    const message = 'This form is out of date. Go back, reload the page, and try again.'
    const page = failurePage({ status: 403, title: 'Nothing was revoked', message })
    return refused(context, page, { code: 'invalid_csrf_token', message, places: ['body.csrf_token'] })
  }
  const [workspaceId, botId] = ['workspace_id', 'bot_id'].map((name) => idIn(fieldOf(fields, name) ?? ''))
  if (workspaceId && botId && (await revokeOwn(deps, session, { workspaceId, botId })))
    return redirectResponse(`${deps.baseUrl()}${CONNECTIONS_PATH}?revoked=yes`, 303)
  const message = 'You have no such connection. It may have been revoked already.'
  const page = await pageOf(deps, session, { text: message, isError: true }, 404)
  return refused(context, page, { code: 'object_not_found', message, places: ['body.bot_id'] })
}

function revokeOwn(deps: Dependencies, { personId }: Session, bot: { workspaceId: string; botId: string }): Promise<boolean> {
  return deps.database.write((db) => revokeAuthorization(db, personId, bot, deps.clock.now()), bot.workspaceId)
}

async function pageOf(deps: Dependencies, session: Session, notice?: Notice, status = 200): Promise<Response> {
  const authorizations = await deps.database.read((db) => listAuthorizations(db, session.personId))
  const base = basePath(deps.baseUrl())
  return connectionsPage({ base, email: session.email, formToken: formToken(session.secret), authorizations, notice, status })
}

function redirectToSignIn(deps: Dependencies): Response {
  const query = new URLSearchParams({ return_to: CONNECTIONS_PATH })
  return redirectResponse(`${deps.baseUrl()}${SIGN_IN_PATH}?${query.toString()}`, 303)
}
