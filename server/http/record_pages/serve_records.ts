import compression from 'compression'
import type { Request, RequestHandler, Router } from 'express'
import { findRecord, type FoundRecord } from '../../domain/content/index.ts'
import { membershipsOf, type Membership, type Session } from '../../domain/people/index.ts'
import { Deadline } from '../../kernel/deadline.ts'
import { canonicalId, idIn } from '../../kernel/ids.ts'
import type { Response } from '../../kernel/response.ts'
import { isNavigation } from '../audience.ts'
import type { Dependencies } from '../dependencies.ts'
import { fieldOf } from '../oauth/browser.ts'
import { redirectResponse } from '../oauth/page.ts'
import { formQueryOf, respondWithPage, type PageHandler } from '../oauth/person_pages.ts'
import { basePath, SEARCH_PATH, SIGN_IN_PATH } from '../oauth/site_paths.ts'
import { localeOf } from './locale.ts'
import { noSuchRecord } from './record_failure.ts'
import { respondWithRecord, type Visit } from './respond_with_record.ts'
import { respondWithSearch } from './respond_with_search.ts'
import { stylesheetOfRecords, STYLESHEET_PATH } from './stylesheet.ts'

/** Matches the path in the address of a page or a database: words of its title, if it has one, and its id. */
const RECORD_PATH = /^\/(?:[A-Za-z0-9_-]+-)?([0-9a-f]{32})$/i
const YEAR_SECONDS = 31_536_000

/**
 * Serves the `url` of pages, databases, views and mentions to people with a browser. Requests that do not accept HTML come from programs,
 * which get the API's error: HTML would look like a success to them.
 */
export function serveRecords(app: Router, deps: Dependencies): void {
  const forPeople = (handler: PageHandler): RequestHandler => {
    return (request, response, next) =>
      isNavigation(request.headers.accept) ? respondWithPage(deps, handler, request, response) : next()
  }
  app.get(RECORD_PATH, forPeople(showRecord))
  app.get(SEARCH_PATH, forPeople(showSearch))
  app.get(STYLESHEET_PATH, compression(), (_request, response) => {
    deps.contexts.of(response).operationLabel = 'page'
    response.setHeader('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`)
    response.type('css').send(stylesheetOfRecords)
  })
}

const showRecord: PageHandler = async (deps, { request, context, session }) => {
  if (!session) return redirectToSignIn(deps, request)
  const [, id = ''] = RECORD_PATH.exec(request.path) ?? []
  const { memberships, found } = await find(deps, session, canonicalId(id))
  const membership = memberships.find(({ actor }) => actor === found?.actor)
  if (!found || !membership) return noSuchRecord(context, basePath(deps.baseUrl()), session.email)
  const deadline = new Deadline(deps.requestMilliseconds)
  const visit = visitOf(deps, request, session, membership, deadline)
  return (await deadline.guard(respondWithRecord(visit, found))) ?? noSuchRecord(context, basePath(deps.baseUrl()), session.email)
}

const showSearch: PageHandler = async (deps, { request, context, session }) => {
  if (!session) return redirectToSignIn(deps, request)
  const memberships = await deps.database.read((db) => membershipsOf(db, session.personId))
  const wanted = idIn(fieldOf(formQueryOf(request), 'workspace') ?? '')
  const membership = memberships.find(({ actor }) => actor.workspaceId === wanted) ?? memberships[0]
  if (!membership) return noSuchRecord(context, basePath(deps.baseUrl()), session.email)
  const deadline = new Deadline(deps.requestMilliseconds)
  return deadline.guard(respondWithSearch(visitOf(deps, request, session, membership, deadline), memberships))
}

/** The record, and the actor as whom the person sees it. Finding a hidden record takes the same steps as a missing one. */
async function find(
  deps: Dependencies,
  { personId }: Session,
  id: string,
): Promise<{ memberships: readonly Membership[]; found: FoundRecord | undefined }> {
  return deps.database.read(async (db) => {
    const memberships = await membershipsOf(db, personId)
    const actors = memberships.map(({ actor }) => actor)
    return { memberships, found: await findRecord(db, actors, id) }
  })
}

function visitOf(deps: Dependencies, request: Request, session: Session, membership: Membership, deadline: Deadline): Visit {
  return {
    deps,
    membership,
    deadline,
    email: session.email,
    query: formQueryOf(request),
    locale: localeOf(request.headers['accept-language']),
  }
}

function redirectToSignIn(deps: Dependencies, request: Request): Response {
  const query = new URLSearchParams({ return_to: request.originalUrl })
  return redirectResponse(`${deps.baseUrl()}${SIGN_IN_PATH}?${query.toString()}`, 303)
}
