import { randomUUID } from 'node:crypto'
import type { Request, Response, Router } from 'express'
import {
  accountKey,
  checkPassword,
  closeSession,
  formToken,
  isFormToken,
  openSession,
  SESSION_MS,
  useSignInLink,
  type SignedIn,
} from '../../domain/people/sessions.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { sendAnswer, type Answer } from '../answer.ts'
import type { ChainParts } from '../parts.ts'
import { networkOf } from '../rate.ts'
import { requireTransport } from '../transport.ts'
import { parseForm, type FormFields } from './body.ts'
import { fieldOf, isSecureSite, receiveFormFields, sessionOf } from './browser.ts'
import { AUTHORIZE_PATH, CONTROLS_PATH } from './consent_page.ts'
import { cookieHeader, findCookie } from './cookies.ts'
import { failurePage } from './failure_page.ts'
import { redirectAnswer } from './page.ts'
import { linkPage, signedInPage, signInPage } from './sign_in_page.ts'
import { safeReturn } from './targets.ts'

type Page = (parts: ChainParts, request: Request, response: Response) => Promise<Answer>

const SIGN_IN_PATH = '/sign-in'
const LINK_PATH = '/sign-in/link'
const VISITOR_MS = 60 * 60 * 1000
/** Each sign-in begins it anew; browsers keep no cookie for longer than 400 days. */
const DEVICE_MS = 365 * 24 * 60 * 60 * 1000

/** Sign-in by password or by one-time link, sign-out, and the consent page's own controls. */
export function serveSignIn(app: Router, parts: ChainParts): void {
  const serve = (method: 'get' | 'post', path: string, page: Page): void => {
    app[method](path, (request: Request, response: Response) => answerPage(parts, page, request, response))
  }
  serve('get', SIGN_IN_PATH, showSignIn)
  serve('post', SIGN_IN_PATH, signIn)
  serve('get', LINK_PATH, showLink)
  serve('post', LINK_PATH, signInByLink)
  serve('post', '/sign-out', signOut)
  serve('post', CONTROLS_PATH, showAgain)
}

async function answerPage(parts: ChainParts, page: Page, request: Request, response: Response): Promise<void> {
  const exchange = parts.traffic.of(response)
  exchange.subject = 'page'
  // Forms are sent by people alone, whatever their browsers say that they accept.
  exchange.requester = 'person'
  parts.admission.enter(response)
  parts.admission.enterUnknown(response)
  requireTransport(exchange, request, parts.requiresHttps)
  sendAnswer(response, await page(parts, request, response))
}

const showSignIn: Page = async (parts, request) => {
  const session = await sessionOf(parts.database, request, parts.baseUrl(), parts.clock.now())
  const returnTo = safeReturn(fieldOf(queryOf(request), 'return_to'))
  if (session)
    return returnTo === undefined
      ? signedInPage(session.email, formToken(session.secret))
      : redirectAnswer(parts.baseUrl() + returnTo, 303)
  const { visitor, cookies } = meet(parts, request)
  return signInPage({ formToken: formToken(visitor), returnTo, cookies })
}

const signIn: Page = async (parts, request, response) => {
  const fields = await receiveFormFields(request, response)
  const returnTo = safeReturn(fieldOf(fields, 'return_to'))
  const { visitor, cookies } = meet(parts, request)
  const again = (notice: string, status: number): Answer =>
    signInPage({
      formToken: formToken(visitor),
      returnTo,
      email: (fieldOf(fields, 'email') ?? '').slice(0, 200),
      notice,
      status,
      cookies,
    })
  if (!isFormToken(visitor, fieldOf(fields, 'csrf_token'))) return again('This form is out of date. Please sign in again.', 403)
  const [email, password] = [fieldOf(fields, 'email'), fieldOf(fields, 'password')]
  const address = networkOf(parts.traffic.of(response).peer.address)
  if (email && password) {
    const account = accountKey(email)
    const device = parts.devices.recognise(account, findCookie(request, 'device', isSecureSite(parts.baseUrl())))
    await parts.budgets.chargeSignIn({ account, address, device })
  }
  const account = email && password ? await checkPassword((work) => parts.database.read(work), email, password) : undefined
  if (!account) {
    await parts.budgets.chargeFailedAuthentication(address)
    return again('The e-mail address or the password is wrong.', 400)
  }
  return enter(parts, request, account, returnTo)
}

const showLink: Page = async (parts, request) => {
  const { visitor, cookies } = meet(parts, request)
  return linkPage(formToken(visitor), fieldOf(queryOf(request), 'token') ?? '', cookies)
}

const signInByLink: Page = async (parts, request, response) => {
  const fields = await receiveFormFields(request, response)
  const visitor = findCookie(request, 'visitor', isSecureSite(parts.baseUrl()))
  if (visitor === undefined || !isFormToken(visitor, fieldOf(fields, 'csrf_token'))) {
    return failurePage({ status: 403, title: 'You are not signed in', message: 'This form is out of date. Open the link again.' })
  }
  const account = await parts.database.write((db) => useSignInLink(db, fieldOf(fields, 'token') ?? '', parts.clock.now()))
  if (!account) {
    await parts.budgets.chargeFailedAuthentication(networkOf(parts.traffic.of(response).peer.address))
    return failurePage({
      status: 400,
      title: 'You are not signed in',
      message: 'This link does not work, or was used before. Ask for another one.',
    })
  }
  return enter(parts, request, account, undefined)
}

const signOut: Page = async (parts, request, response) => {
  const fields = await receiveFormFields(request, response)
  const session = await sessionOf(parts.database, request, parts.baseUrl(), parts.clock.now())
  if (!session) return redirectAnswer(`${parts.baseUrl()}${SIGN_IN_PATH}`, 303)
  if (!isFormToken(session.secret, fieldOf(fields, 'csrf_token')))
    return failurePage({ status: 403, title: 'You are still signed in', message: 'This form is out of date. Try again.' })
  await parts.database.write((db) => closeSession(db, session.secret))
  return redirectAnswer(`${parts.baseUrl()}${SIGN_IN_PATH}`, 303, [
    cookieHeader('session', undefined, isSecureSite(parts.baseUrl()), 0),
  ])
}

/** What the page's controls do not know: who decides, and what. */
const NOT_KEPT: ReadonlySet<string> = new Set(['csrf_token', 'decision'])
/** The longest address that the service reads. */
const ADDRESS_LENGTH_MAX = 8_000

/** Search and choice of workspace: the consent page again, with what was filled in carried along in its address. */
const showAgain: Page = async (parts, request, response) => {
  const fields = await receiveFormFields(request, response)
  const query = new URLSearchParams(
    [...fields].filter(([name]) => !NOT_KEPT.has(name)).flatMap(([name, values]) => values.map((value) => [name, value])),
  )
  const address = `${AUTHORIZE_PATH}?${query.toString()}`
  if (address.length > ADDRESS_LENGTH_MAX) {
    throw new ServiceError('validation_error', {
      message: 'Too many pages are picked. Go back, and pick a page above them instead: all below it is shared too.',
    })
  }
  return redirectAnswer(`${parts.baseUrl()}${address}#pages`, 303)
}

function queryOf(request: Request): FormFields {
  return parseForm(request.originalUrl.split('?')[1] ?? '')
}

/** A browser that is not signed in gets a secret of its own, which ties the sign-in form to it. */
function meet(parts: ChainParts, request: Request): { visitor: string; cookies: readonly string[] } {
  const isSecure = isSecureSite(parts.baseUrl())
  const known = findCookie(request, 'visitor', isSecure)
  const visitor = known ?? `visitor_${randomUUID().replaceAll('-', '')}`
  return { visitor, cookies: known === undefined ? [cookieHeader('visitor', visitor, isSecure, VISITOR_MS)] : [] }
}

/** Signs a browser in, and lets it be known again. */
async function enter(parts: ChainParts, request: Request, account: SignedIn, returnTo: string | undefined): Promise<Answer> {
  const secret = await parts.database.write((db) => openSession(db, account.id, parts.clock.now()))
  const isSecure = isSecureSite(parts.baseUrl())
  const device = parts.devices.cookieFor(accountKey(account.email), findCookie(request, 'device', isSecure))
  return redirectAnswer(parts.baseUrl() + (returnTo ?? SIGN_IN_PATH), 303, [
    cookieHeader('session', secret, isSecure, SESSION_MS),
    cookieHeader('device', device, isSecure, DEVICE_MS),
  ])
}
