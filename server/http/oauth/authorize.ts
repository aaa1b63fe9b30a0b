import type { Request, Response } from 'express'
import type { RequestParts } from '../../contract/places.ts'
import { operations } from '../../../generated/operations.ts'
import { decide, NothingPickedError, type Decision } from '../../domain/oauth/decide.ts'
import { AuthorizationPageError, AuthorizationRedirect } from '../../domain/oauth/refusals.ts'
import { checkRequest, type AuthorizationRequest } from '../../domain/oauth/request.ts'
import { findOffer } from '../../domain/oauth/find_offer.ts'
import { formToken, isFormToken, type Session } from '../../domain/people/sessions.ts'
import type { Deadline } from '../../kernel/deadline.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { RenderedAnswer } from '../answer.ts'
import type { ChainParts } from '../chain_parts.ts'
import type { Exchange } from '../exchanges.ts'
import { toServiceError } from '../answer.ts'
import { fieldOf, fieldsObject, isSecureSite, receiveFormFields, sessionOf } from './browser.ts'
import { findCookie } from './cookies.ts'
import { parseForm, type FormFields } from './oauth_body.ts'
import { consentBody, consentTitle, requestFields, type ConsentView } from './consent_page.ts'
import { refusalPage } from './failure_page.ts'
import { pageAnswer, redirectAnswer, type RedirectStatus } from './page.ts'
import { refused } from './refused.ts'
import { AUTHORIZE_PATH, basePath, SIGN_IN_PATH } from './site_paths.ts'
import { formTargetOf } from './targets.ts'

interface PageRequest {
  readonly request: Request
  readonly response: Response
  readonly exchange: Exchange
  /** The query without its question mark, undecoded. */
  readonly query: string
  readonly deadline: Deadline
  readonly now: number
}

/** Answers a request for the consent page, or the decision that its form submits, with a page or a redirect to the client. */
export async function answerAuthorization(parts: ChainParts, page: PageRequest): Promise<RenderedAnswer> {
  const isDecision = page.request.method === 'POST'
  const redirectStatus = isDecision ? 303 : 302
  const fields = isDecision ? await receiveFormFields(page.request, page.response) : parseForm(page.query)
  if (isDecision) page.exchange.body = fieldsObject(fields)
  let authorization: AuthorizationRequest | undefined
  try {
    authorization = await parts.database.read((db) => checkRequest(db, fields, parts.baseUrl()))
    const session = await identify(parts, page, authorization)
    if (!session) return redirectToSignIn(parts, page, authorization, redirectStatus)
    return isDecision
      ? await recordDecision(parts, page, authorization, session, fields)
      : await showPage(parts, authorization, session, fields)
  } catch (thrown) {
    if (!authorization && isRefusal(thrown)) await identify(parts, page)
    return failureAnswer(thrown, authorization, page, redirectStatus)
  }
}

/** Finds out who is signed in, and records it with the connection. */
async function identify(
  parts: ChainParts,
  { exchange, request, now }: PageRequest,
  authorization?: AuthorizationRequest,
): Promise<Session | undefined> {
  const session = await sessionOf(parts.database, request, parts.baseUrl(), now)
  const client = authorization && { workspaceId: authorization.client.workspaceId, connectionId: authorization.client.id }
  exchange.caller = { ...client, personId: session?.personId }
  return session
}

function isRefusal(thrown: unknown): boolean {
  return thrown instanceof AuthorizationRedirect || thrown instanceof AuthorizationPageError
}

/**
 * Answers an error: by a redirect to the client if its redirect URI has been verified, otherwise as a page.
 * @param authorization undefined if the redirect URI has not been verified
 */
function failureAnswer(
  thrown: unknown,
  authorization: AuthorizationRequest | undefined,
  { exchange, request: { method } }: PageRequest,
  status: RedirectStatus,
): RenderedAnswer {
  const placesOf = (name: string | undefined): string[] =>
    name === undefined ? [] : [`${method === 'POST' ? 'body' : 'query'}.${name}`]
  if (thrown instanceof AuthorizationRedirect) {
    const { location, code, message, parameter } = thrown
    return refused(exchange, redirectAnswer(location, status), { code, message, places: placesOf(parameter) })
  }
  if (thrown instanceof AuthorizationPageError) {
    const { message, parameter } = thrown
    const code = parameter === 'csrf_token' ? 'invalid_csrf_token' : 'invalid_request'
    return refused(exchange, refusalPage(thrown), { code, message, places: placesOf(parameter) })
  }
  if (!authorization) throw thrown
  const failure = toServiceError(thrown)
  exchange.failure = failure
  const isBusy = failure.code === 'service_unavailable' || failure.code === 'service_overload'
  const error = isBusy ? 'temporarily_unavailable' : 'server_error'
  return redirectAnswer(new AuthorizationRedirect(authorization, error).location, status)
}

/** Refuses a decision of nobody, and whatever an ended session sends. Anyone else has yet to sign in. */
function redirectToSignIn(
  parts: ChainParts,
  { exchange, request }: PageRequest,
  authorization: AuthorizationRequest,
  status: RedirectStatus,
): RenderedAnswer {
  const returnTo = `${AUTHORIZE_PATH}?${new URLSearchParams(requestFields(authorization)).toString()}`
  const address = `${parts.baseUrl()}${SIGN_IN_PATH}?${new URLSearchParams({ return_to: returnTo }).toString()}`
  const answer = redirectAnswer(address, status)
  const hadSession = findCookie(request, 'session', isSecureSite(parts.baseUrl())) !== undefined
  if (request.method !== 'POST' && !hadSession) return answer
  return refused(exchange, answer, { code: 'session_ended', message: 'Nobody is signed in: the session has ended.' })
}

interface Notice {
  readonly text: string
  readonly status: number
}

async function showPage(
  parts: ChainParts,
  request: AuthorizationRequest,
  session: Session,
  fields: FormFields,
  notice?: Notice,
): Promise<RenderedAnswer> {
  const choices = {
    workspaceId: idsOf(fields, 'workspace_id')[0],
    search: (fieldOf(fields, 'search') ?? '').slice(0, SEARCH_LENGTH_MAX),
    pageIds: [...new Set(idsOf(fields, 'page_ids'))].slice(0, PICKS_MAX),
  }
  const offer = await parts.database.read((db) => findOffer(db, request, session.personId, choices))
  const view: ConsentView = {
    ...offer,
    base: basePath(parts.baseUrl()),
    request,
    email: session.email,
    formToken: formToken(session.secret),
    search: choices.search,
    takesTemplate: fieldOf(fields, 'use_template') === 'true',
    notice: notice?.text,
  }
  return pageAnswer({
    status: notice?.status ?? 200,
    title: consentTitle(view),
    body: consentBody(view),
    formTargets: formTargetOf(request.redirectUri),
  })
}

const SEARCH_LENGTH_MAX = 200
/** The contract's limit on the pages of a decision. */
const PICKS_MAX = 100
const ID = /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/

/** The valid ids among the values of a field, in canonical form; other values are ignored. */
function idsOf(fields: FormFields, name: string): string[] {
  return (fields.get(name) ?? []).filter((text) => ID.test(text)).map(canonicalId)
}

async function recordDecision(
  parts: ChainParts,
  page: PageRequest,
  request: AuthorizationRequest,
  session: Session,
  fields: FormFields,
): Promise<RenderedAnswer> {
  if (!isFormToken(session.secret, fieldOf(fields, 'csrf_token'))) {
    throw new AuthorizationPageError(
      'This decision was not sent from the page that the service showed you. Start again from the connection.',
      'csrf_token',
      403,
    )
  }
  const decision = parseDecision(parts, request, fields)
  try {
    return redirectAnswer(
      await parts.database.write(async (db) => {
        page.deadline.check()
        const location = await decide(db, request, session.personId, decision, page.now)
        page.deadline.beginCommit()
        return location
      }),
      303,
    )
  } catch (thrown) {
    if (!(thrown instanceof NothingPickedError)) throw thrown
    const text = 'Pick at least one page or database, or cancel.'
    const answer = await showPage(parts, request, session, fields, { text, status: 400 })
    return refused(page.exchange, answer, { code: 'validation_error', message: text, places: ['body.page_ids'] })
  }
}

/** Parses the fields of the form. @throws AuthorizationRedirect for a form that violates the contract */
function parseDecision({ validator }: ChainParts, request: AuthorizationRequest, fields: FormFields): Decision {
  const parts: RequestParts = { path: {}, query: {}, body: fieldsObject(fields, ['page_ids']) }
  try {
    validator.validate(operations.createAuthorization, parts, {})
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
