import type { Request, Response } from 'express'
import type { RequestParts } from '../../contract/places.ts'
import { operations } from '../../../generated/operations.ts'
import { decide, NothingPickedError, type Decision } from '../../domain/oauth/decide.ts'
import { AuthorizationPageError, AuthorizationRedirect } from '../../domain/oauth/refusals.ts'
import { checkRequest, type AuthorizationRequest } from '../../domain/oauth/request.ts'
import { findOffer } from '../../domain/oauth/view.ts'
import { formToken, isFormToken, type Session } from '../../domain/people/sessions.ts'
import type { Deadline } from '../../kernel/deadline.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { Answer } from '../answer.ts'
import type { ChainParts } from '../parts.ts'
import type { Exchange } from '../exchange.ts'
import { toServiceError } from '../answer.ts'
import { fieldOf, receiveFormFields, sessionOf } from './browser.ts'
import { parseForm, type FormFields } from './body.ts'
import { AUTHORIZE_PATH, consentBody, consentTitle, requestFields, type ConsentView } from './consent_page.ts'
import { refusalPage } from './failure_page.ts'
import { pageAnswer, redirectAnswer, type RedirectStatus } from './page.ts'
import { formTargetOf } from './targets.ts'

interface PersonRequest {
  readonly request: Request
  readonly response: Response
  readonly exchange: Exchange
  /** Without its question mark. */
  readonly query: string
  readonly deadline: Deadline
  readonly now: number
}

/** The consent page, and the decision that it sends. */
export async function answerPerson(parts: ChainParts, person: PersonRequest): Promise<Answer> {
  const isDecision = person.request.method === 'POST'
  const seeOther = isDecision ? 303 : 302
  const fields = isDecision ? await receiveFormFields(person.request, person.response) : parseForm(person.query)
  let target: AuthorizationRequest | undefined
  try {
    target = await parts.database.read((db) => checkRequest(db, fields, parts.baseUrl()))
    const session = await sessionOf(parts.database, person.request, parts.baseUrl(), person.now)
    if (!session) return signInFirst(parts, target, seeOther)
    return isDecision
      ? await takeDecision(parts, person, target, session, fields)
      : await showPage(parts, target, session, fields)
  } catch (thrown) {
    return refusal(thrown, target, person.exchange, seeOther)
  }
}

/** Once it is certain where the browser may go, faults go there too. */
function refusal(thrown: unknown, target: AuthorizationRequest | undefined, exchange: Exchange, status: RedirectStatus): Answer {
  if (thrown instanceof AuthorizationRedirect) return redirectAnswer(thrown.location, status)
  if (thrown instanceof AuthorizationPageError) return refusalPage(thrown)
  if (!target) throw thrown
  const failure = toServiceError(thrown)
  exchange.failure = failure
  const isBusy = failure.code === 'service_unavailable' || failure.code === 'service_overload'
  return redirectAnswer(new AuthorizationRedirect(target, isBusy ? 'temporarily_unavailable' : 'server_error').location, status)
}

function signInFirst(parts: ChainParts, target: AuthorizationRequest, status: RedirectStatus): Answer {
  const returnTo = `${AUTHORIZE_PATH}?${new URLSearchParams(requestFields(target)).toString()}`
  return redirectAnswer(`${parts.baseUrl()}/sign-in?${new URLSearchParams({ return_to: returnTo }).toString()}`, status)
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
): Promise<Answer> {
  const choices = {
    workspaceId: idsOf(fields, 'workspace_id')[0],
    search: (fieldOf(fields, 'search') ?? '').slice(0, SEARCH_LENGTH_MAX),
    pageIds: [...new Set(idsOf(fields, 'page_ids'))].slice(0, PICKS_MAX),
  }
  const offer = await parts.database.read((db) => findOffer(db, request, session.personId, choices))
  const view: ConsentView = {
    ...offer,
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
/** As many as the contract lets a decision name. */
const PICKS_MAX = 100
const ID = /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/

/** What is no id is left out: the page shows what there is. */
function idsOf(fields: FormFields, name: string): string[] {
  return (fields.get(name) ?? []).filter((text) => ID.test(text)).map(canonicalId)
}

async function takeDecision(
  parts: ChainParts,
  person: PersonRequest,
  request: AuthorizationRequest,
  session: Session,
  fields: FormFields,
): Promise<Answer> {
  if (!isFormToken(session.secret, fieldOf(fields, 'csrf_token'))) {
    throw new AuthorizationPageError(
      'The decision does not come from the page that this service gave you. Open it again from the connection.',
      403,
    )
  }
  const decision = readDecision(parts, request, fields)
  try {
    return redirectAnswer(
      await parts.database.write(async (db) => {
        person.deadline.check()
        const location = await decide(db, request, session.personId, decision, person.now)
        person.deadline.beginCommit()
        return location
      }),
      303,
    )
  } catch (thrown) {
    if (!(thrown instanceof NothingPickedError)) throw thrown
    return showPage(parts, request, session, fields, { text: 'Pick at least one page or database, or cancel.', status: 400 })
  }
}

/** The form in the types of the contract. @throws AuthorizationRedirect for one that breaks it */
function readDecision({ validator }: ChainParts, request: AuthorizationRequest, fields: FormFields): Decision {
  const body: Record<string, unknown> = {}
  for (const [name, values] of fields) body[name] = name === 'page_ids' ? values : values.length === 1 ? values[0] : values
  const parts: RequestParts = { path: {}, query: {}, body }
  try {
    validator.validate(operations.createAuthorization, parts, {})
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const [complaint] = error.complaints
    throw new AuthorizationRedirect(
      request,
      'invalid_request',
      complaint &&
        `${complaint.path.replace(/^body\./, '')} ${complaint.claim.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')}`,
    )
  }
  return {
    decision: fieldOf(fields, 'decision') === 'allow' ? 'allow' : 'cancel',
    workspaceId: fieldOf(fields, 'workspace_id'),
    pageIds: fields.get('page_ids') ?? [],
    takesTemplate: fieldOf(fields, 'use_template') === 'true',
  }
}
