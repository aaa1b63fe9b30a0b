import type { Request, Router } from 'express'
import { recordAccountAct } from '../../domain/administration/index.ts'
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
} from '../../domain/people/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { newId, undashed } from '../../kernel/ids.ts'
import type { Response } from '../../kernel/response.ts'
import type { Dependencies } from '../dependencies.ts'
import { networkOf } from '../network_of.ts'
import { fieldOf, isSecureSite, receiveFormFields } from './browser.ts'
import { cookieHeader, findCookie } from './cookies.ts'
import { failurePage } from './failure_page.ts'
import { redirectResponse } from './page.ts'
import { formQueryOf, servePersonPages, type PageHandler } from './person_pages.ts'
import { refused } from './refused.ts'
import { linkPage, signedInPage, signInPage } from './sign_in_page.ts'
import { AUTHORIZE_PATH, basePath, CONTROLS_PATH, LINK_PATH, SIGN_IN_PATH, SIGN_OUT_PATH } from './site_paths.ts'
import { safeReturn } from './targets.ts'

const VISITOR_MS = 60 * 60 * 1000
/** The lifetime of the cookie, which each sign-in renews. Browsers keep no cookie for longer than 400 days. */
const DEVICE_MS = 365 * 24 * 60 * 60 * 1000

/** Serves sign-in by password or one-time link, sign-out, and the controls on the consent page. */
export function serveSignIn(app: Router, deps: Dependencies): void {
  const serve = servePersonPages(app, deps)
  serve('get', SIGN_IN_PATH, showSignIn)
  serve('post', SIGN_IN_PATH, signIn)
  serve('get', LINK_PATH, showLink)
  serve('post', LINK_PATH, signInByLink)
  serve('post', SIGN_OUT_PATH, signOut)
  serve('post', CONTROLS_PATH, showConsentAgain)
}

const showSignIn: PageHandler = async (deps, { request, session }) => {
  const returnTo = safeReturn(fieldOf(formQueryOf(request), 'return_to'))
  if (session)
    return returnTo === undefined
      ? signedInPage({
          base: basePath(deps.baseUrl()),
          email: session.email,
          formToken: formToken(session.secret),
          hasConsole: deps.consoleFolder !== undefined,
        })
      : redirectResponse(deps.baseUrl() + returnTo, 303)
  const { visitor, cookies } = visitorOf(deps, request)
  return signInPage({ base: basePath(deps.baseUrl()), formToken: formToken(visitor), returnTo, cookies })
}

const signIn: PageHandler = async (deps, { request, response, context }) => {
  const fields = await receiveFormFields(request, response)
  const returnTo = safeReturn(fieldOf(fields, 'return_to'))
  const { visitor, cookies } = visitorOf(deps, request)
  const again = (notice: string, status: number, code: string, place: string): Response => {
    const typed = (fieldOf(fields, 'email') ?? '').slice(0, 200)
    const form = { formToken: formToken(visitor), returnTo, email: typed, notice, status, cookies }
    const page = signInPage({ base: basePath(deps.baseUrl()), ...form })
    return refused(context, page, { code, message: notice, places: [place] })
  }
  if (!isFormToken(visitor, fieldOf(fields, 'csrf_token')))
    return again('This form is out of date. Please sign in again.', 403, 'invalid_csrf_token', 'body.csrf_token')
  const [email, password] = [fieldOf(fields, 'email'), fieldOf(fields, 'password')]
  const address = networkOf(context.remote.address)
  if (email && password) {
    const account = accountKey(email)
    const device = deps.devices.recognize(account, findCookie(request, 'device', isSecureSite(deps.baseUrl())))
    await deps.rateLimiter.chargeSignIn({ account, address, device })
  }
  const account = email && password ? await checkPassword(async (work) => deps.database.read(work), email, password) : undefined
  if (!account) {
    await deps.rateLimiter.chargeFailedAuthentication(address)
    return again('The email address or the password is wrong.', 400, 'wrong_password', 'body.password')
  }
  return startSession(deps, request, account, returnTo)
}

const showLink: PageHandler = async (deps, { request }) => {
  const { visitor, cookies } = visitorOf(deps, request)
  const query = formQueryOf(request)
  const returnTo = safeReturn(fieldOf(query, 'return_to'))
  const fields = { token: fieldOf(query, 'token') ?? '', ...(returnTo === undefined ? {} : { return_to: returnTo }) }
  return linkPage(basePath(deps.baseUrl()), { csrf_token: formToken(visitor), ...fields }, cookies)
}

const signInByLink: PageHandler = async (deps, { request, response, context }) => {
  const fields = await receiveFormFields(request, response)
  const visitor = findCookie(request, 'visitor', isSecureSite(deps.baseUrl()))
  if (visitor === undefined || !isFormToken(visitor, fieldOf(fields, 'csrf_token'))) {
    const message = 'This form is out of date. Open the link again.'
    const page = failurePage({ status: 403, title: 'You are not signed in', message })
    return refused(context, page, { code: 'invalid_csrf_token', message, places: ['body.csrf_token'] })
  }
  const account = await deps.database.write((db) => useSignInLink(db, fieldOf(fields, 'token') ?? '', deps.clock.now()))
  if (!account) {
    await deps.rateLimiter.chargeFailedAuthentication(networkOf(context.remote.address))
    const message = 'This link does not work, or was used before. Ask for another one.'
    const page = failurePage({ status: 400, title: 'You are not signed in', message })
    return refused(context, page, { code: 'invalid_sign_in_link', message, places: ['body.token'] })
  }
  return startSession(deps, request, account, safeReturn(fieldOf(fields, 'return_to')))
}

const signOut: PageHandler = async (deps, { request, response, context, session }) => {
  const fields = await receiveFormFields(request, response)
  if (!session) return redirectResponse(`${deps.baseUrl()}${SIGN_IN_PATH}`, 303)
  if (!isFormToken(session.secret, fieldOf(fields, 'csrf_token'))) {
    const message = 'This form is out of date. Try again.'
    const page = failurePage({ status: 403, title: 'You are still signed in', message })
    return refused(context, page, { code: 'invalid_csrf_token', message, places: ['body.csrf_token'] })
  }
  const { personId, email, secret } = session
  await deps.database.write(async (db) => {
    await closeSession(db, secret)
    await recordAccountAct(
      db,
      { personId, action: 'browser_session.ended', object: { type: 'browser_session', name: email } },
      deps.clock.now(),
    )
  })
  return redirectResponse(`${deps.baseUrl()}${SIGN_IN_PATH}`, 303, [
    cookieHeader('session', undefined, isSecureSite(deps.baseUrl()), 0),
  ])
}

/** Fields of the consent form that are dropped when the page is shown again. */
const FIELDS_DROPPED: ReadonlySet<string> = new Set(['csrf_token', 'decision'])
/** The maximum length of a redirect address: shorter than the longest URL that the service accepts. */
const ADDRESS_LENGTH_MAX = 8_000

/** Shows the consent page again after a search or a change of workspace. Its query preserves the entered values. */
const showConsentAgain: PageHandler = async (deps, { request, response }) => {
  const fields = await receiveFormFields(request, response)
  const query = new URLSearchParams(
    [...fields].filter(([name]) => !FIELDS_DROPPED.has(name)).flatMap(([name, values]) => values.map((value) => [name, value])),
  )
  const address = `${AUTHORIZE_PATH}?${query.toString()}`
  if (address.length > ADDRESS_LENGTH_MAX) {
    throw new ServiceError('validation_error', {
      message: 'You picked too many pages. Go back and pick a page above them instead: everything below it is shared, too.',
    })
  }
  return redirectResponse(`${deps.baseUrl()}${address}#pages`, 303)
}

/** The secret that binds a sign-in form to its browser. If the browser has none, a cookie gives it a new one. */
function visitorOf(deps: Dependencies, request: Request): { visitor: string; cookies: readonly string[] } {
  const isSecure = isSecureSite(deps.baseUrl())
  const sent = findCookie(request, 'visitor', isSecure)
  const visitor = sent ?? `visitor_${undashed(newId())}`
  return { visitor, cookies: sent === undefined ? [cookieHeader('visitor', visitor, isSecure, VISITOR_MS)] : [] }
}

/** Opens a session in a browser and marks the browser as one in which the person has signed in. */
async function startSession(
  deps: Dependencies,
  request: Request,
  account: SignedIn,
  returnTo: string | undefined,
): Promise<Response> {
  const now = deps.clock.now()
  const secret = await deps.database.write(async (db) => {
    const object = { type: 'browser_session', name: account.email }
    await recordAccountAct(db, { personId: account.id, action: 'browser_session.started', object }, now)
    return openSession(db, account.id, request.headers['user-agent'], now)
  })
  const isSecure = isSecureSite(deps.baseUrl())
  const device = deps.devices.cookieFor(accountKey(account.email), findCookie(request, 'device', isSecure))
  return redirectResponse(deps.baseUrl() + (returnTo ?? SIGN_IN_PATH), 303, [
    cookieHeader('session', secret, isSecure, SESSION_MS),
    cookieHeader('device', device, isSecure, DEVICE_MS),
  ])
}
