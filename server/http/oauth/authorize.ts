import type { RequestParts } from '../../contract/locations.ts'
import { operations } from '../../../generated/operations.ts'
import { withOrigin } from '../../domain/administration/index.ts'
import {
  decide,
  NothingPickedError,
  AuthorizationPageError,
  AuthorizationRedirect,
  checkRequest,
  findOffer,
  type Decision,
  type AuthorizationRequest,
} from '../../domain/oauth/index.ts'
import { formToken, isFormToken, type Session } from '../../domain/people/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { Response } from '../../kernel/response.ts'
import type { Dependencies } from '../dependencies.ts'
import type { HttpContext } from '../http_context.ts'
import type { Step } from '../steps/step.ts'
import { toServiceError } from '../response.ts'
import { fieldOf, fieldsObject, isSecureSite, receiveFormFields, sessionOf } from './browser.ts'
import { findCookie } from './cookies.ts'
import { parseForm, type FormFields } from './oauth_body.ts'
import { consentBody, consentTitle, requestFields, type ConsentView } from './consent_page.ts'
import { refusalPage } from './failure_page.ts'
import { pageResponse, redirectResponse, type RedirectStatus } from './page.ts'
import { refused } from './refused.ts'
import { AUTHORIZE_PATH, basePath, SIGN_IN_PATH } from './site_paths.ts'
import { formTargetOf } from './targets.ts'

/** Responds to a request for the consent page, or to the decision that its form submits, with a page or a redirect to the client. */
export function respondToAuthorization(deps: Dependencies): Step {
  return async (context, call) => {
    const { request, response } = context
    const isDecision = request.method === 'POST'
    const redirectStatus = isDecision ? 303 : 302
    const fields = isDecision ? await receiveFormFields(request, response) : parseForm(call.queryText)
    if (isDecision) context.body = fieldsObject(fields)
    let authorization: AuthorizationRequest | undefined
    try {
      authorization = await deps.database.read((db) => checkRequest(db, fields, deps.baseUrl()))
      const session = await identify(deps, context, authorization)
      if (!session) return redirectToSignIn(deps, context, authorization, redirectStatus)
      return isDecision
        ? await recordDecision(deps, context, authorization, session, fields)
        : await showPage(deps, authorization, session, fields)
    } catch (thrown) {
      if (!authorization && isRefusal(thrown)) await identify(deps, context)
      return failureResponse(thrown, authorization, context, redirectStatus)
    }
  }
}

/** Determines who is signed in, and records the person together with the connection. */
async function identify(
  deps: Dependencies,
  context: HttpContext,
  authorization?: AuthorizationRequest,
): Promise<Session | undefined> {
  const session = await sessionOf(deps.database, context.request, deps.baseUrl(), context.now)
  const client = authorization && { workspaceId: authorization.client.workspaceId, connectionId: authorization.client.id }
  context.callerIds = { ...client, personId: session?.personId }
  return session
}

function isRefusal(thrown: unknown): boolean {
  return thrown instanceof AuthorizationRedirect || thrown instanceof AuthorizationPageError
}

/**
 * Responds with an error: by a redirect to the client if its redirect URI has been verified, otherwise as a page.
 * @param authorization undefined if the redirect URI has not been verified
 */
function failureResponse(
  thrown: unknown,
  authorization: AuthorizationRequest | undefined,
  context: HttpContext,
  status: RedirectStatus,
): Response {
  const { method } = context.request
  const locationsOf = (name: string | undefined): string[] =>
    name === undefined ? [] : [`${method === 'POST' ? 'body' : 'query'}.${name}`]
  if (thrown instanceof AuthorizationRedirect) {
    const { location, code, message, parameter } = thrown
    return refused(context, redirectResponse(location, status), { code, message, places: locationsOf(parameter) })
  }
  if (thrown instanceof AuthorizationPageError) {
    const { message, parameter } = thrown
    const code = parameter === 'csrf_token' ? 'invalid_csrf_token' : 'invalid_request'
    return refused(context, refusalPage(thrown), { code, message, places: locationsOf(parameter) })
  }
  if (!authorization) throw thrown
  const failure = toServiceError(thrown)
  context.failure = failure
  const isBusy = failure.code === 'service_unavailable' || failure.code === 'service_overload'
  const error = isBusy ? 'temporarily_unavailable' : 'server_error'
  return redirectResponse(new AuthorizationRedirect(authorization, error).location, status)
}

/**
 * Handles a request without a session: refuses a decision and forms of an ended session, and redirects everyone else to the sign-in page.
 */
function redirectToSignIn(
  deps: Dependencies,
  context: HttpContext,
  authorization: AuthorizationRequest,
  status: RedirectStatus,
): Response {
  const { request } = context
  const returnTo = `${AUTHORIZE_PATH}?${new URLSearchParams(requestFields(authorization)).toString()}`
  const address = `${deps.baseUrl()}${SIGN_IN_PATH}?${new URLSearchParams({ return_to: returnTo }).toString()}`
  const response = redirectResponse(address, status)
  const hadSession = findCookie(request, 'session', isSecureSite(deps.baseUrl())) !== undefined
  if (request.method !== 'POST' && !hadSession) return response
  return refused(context, response, { code: 'session_ended', message: 'Nobody is signed in: the session has ended.' })
}

interface Notice {
  readonly text: string
  readonly status: number
}

async function showPage(
  deps: Dependencies,
  request: AuthorizationRequest,
  session: Session,
  fields: FormFields,
  notice?: Notice,
): Promise<Response> {
  const choices = {
    workspaceId: idsOf(fields, 'workspace_id')[0],
    search: (fieldOf(fields, 'search') ?? '').slice(0, SEARCH_LENGTH_MAX),
    pageIds: [...new Set(idsOf(fields, 'page_ids'))].slice(0, PICKS_MAX),
  }
  const offer = await deps.database.read((db) => findOffer(db, request, session.personId, choices))
  const view: ConsentView = {
    ...offer,
    base: basePath(deps.baseUrl()),
    request,
    email: session.email,
    formToken: formToken(session.secret),
    search: choices.search,
    takesTemplate: fieldOf(fields, 'use_template') === 'true',
    notice: notice?.text,
  }
  return pageResponse({
    status: notice?.status ?? 200,
    title: consentTitle(view),
    body: consentBody(view),
    formTargets: formTargetOf(request.redirectUri),
  })
}

const SEARCH_LENGTH_MAX = 200
/** The contract's limit on the number of pages in a decision. */
const PICKS_MAX = 100
const ID = /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/

/** The valid ids among the values of a field, in canonical form; other values are ignored. */
function idsOf(fields: FormFields, name: string): string[] {
  return (fields.get(name) ?? []).filter((text) => ID.test(text)).map(canonicalId)
}

async function recordDecision(
  deps: Dependencies,
  context: HttpContext,
  request: AuthorizationRequest,
  session: Session,
  fields: FormFields,
): Promise<Response> {
  if (!isFormToken(session.secret, fieldOf(fields, 'csrf_token'))) {
    throw new AuthorizationPageError(
      'This decision was not sent from the page that the service showed you. Start again from the connection.',
      'csrf_token',
      403,
    )
  }
  const decision = parseDecision(deps, request, fields)
  try {
    return redirectResponse(
      await withOrigin(deps.database, context).write(async (db) => {
        context.deadline.check()
        const location = await decide(db, request, session.personId, decision, context.now)
        context.deadline.beginCommit()
        return location
      }),
      303,
    )
  } catch (thrown) {
    if (!(thrown instanceof NothingPickedError)) throw thrown
    const text = 'Pick at least one page or database, or cancel.'
    const response = await showPage(deps, request, session, fields, { text, status: 400 })
    return refused(context, response, { code: 'validation_error', message: text, places: ['body.page_ids'] })
  }
}

/** Parses the fields of the form. @throws AuthorizationRedirect for a form that violates the contract */
function parseDecision({ validator }: Dependencies, request: AuthorizationRequest, fields: FormFields): Decision {
  const deps: RequestParts = { path: {}, query: {}, body: fieldsObject(fields, ['page_ids']) }
  try {
    validator.validate(operations.createAuthorization, deps)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const [complaint] = error.complaints
    const name = complaint?.path.replace(/^body\./, '')
    const claim = complaint?.claim.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')
    throw new AuthorizationRedirect(request, 'invalid_request', complaint && `${name} ${claim}`, name)
  }
  return {
    decision: fieldOf(fields, 'decision') === 'allow' ? 'allow' : 'cancel',
    workspaceId: fieldOf(fields, 'workspace_id'),
    pageIds: fields.get('page_ids') ?? [],
    takesTemplate: fieldOf(fields, 'use_template') === 'true',
  }
}
