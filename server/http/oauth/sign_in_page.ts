import type { Response } from '../../kernel/response.ts'
import { hiddenInputs } from './consent_page.ts'
import { markup, type Html } from './html.ts'
import { pageResponse } from './page.ts'
import {
  AUTHORIZE_PATH,
  CONNECTIONS_PATH,
  CONSOLE_PATH,
  LINK_PATH,
  SEARCH_PATH,
  SIGN_IN_PATH,
  SIGN_OUT_PATH,
} from './site_paths.ts'

/** After signing in, redirects may lead to the authorization, and from there to the client. */
const FORM_TARGETS = "'self' https: http:"

interface SignInForm {
  /** The path of the service's address. */
  readonly base: string
  readonly formToken: string
  /** The path to which the browser is sent after signing in; undefined for the page that says that one is signed in. */
  readonly returnTo: string | undefined
  readonly email?: string
  readonly notice?: string
  readonly status?: number
  readonly cookies?: readonly string[]
}

export function signInPage({ base, formToken, returnTo, email = '', notice, status = 200, cookies = [] }: SignInForm): Response {
  const body = markup`<h1>Sign in</h1>
<p class="soft">${reasonOf(returnTo)}</p>
${noticeOf(notice)}
<form method="post" action="${base}${SIGN_IN_PATH}">
${hiddenInputs({ csrf_token: formToken, ...(returnTo === undefined ? {} : { return_to: returnTo }) })}
<label class="field" for="email">Email address</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="username" required maxlength="200"${email === '' && markup` autofocus`}>
<label class="field" for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required maxlength="1000"${email !== '' && markup` autofocus`}>
<button class="main wide">Sign in</button>
</form>
<p class="small-print">No password? The operator of this service can give you a link that signs you in once.</p>`
  return pageResponse({ status, title: 'Sign in', body, isSmall: true, formTargets: FORM_TARGETS, cookies })
}

/** The page of a sign-in link. Opening the link does not sign the person in yet: mail scanners open links, and would use it up. */
export function linkPage(base: string, fields: Readonly<Record<string, string>>, cookies: readonly string[]): Response {
  const body = markup`<h1>Sign in</h1>
<p class="soft">This link works once.</p>
<form method="post" action="${base}${LINK_PATH}">
${hiddenInputs(fields)}
<button class="main wide" autofocus>Sign in</button>
</form>`
  return pageResponse({ title: 'Sign in', body, isSmall: true, cookies })
}

interface SignedInDetails {
  /** The path of the service's address. */
  readonly base: string
  readonly email: string
  readonly formToken: string
  readonly hasConsole: boolean
}

/** The page for a person who is signed in and has nothing to decide. */
export function signedInPage({ base, email, formToken, hasConsole }: SignedInDetails): Response {
  const body = markup`<h1>You are signed in</h1>
<p class="soft">As ${email}. To connect a program to your workspace, start in that program: it sends you here to decide.</p>
<p><a href="${base}${SEARCH_PATH}">Pages</a>: look at what is in your workspace.</p>
<p><a href="${base}${CONNECTIONS_PATH}">Connections</a>: see what you have connected, and revoke access.</p>
${hasConsole && markup`<p><a href="${base}${CONSOLE_PATH}">Console</a>: manage your tokens, sessions and password.</p>`}
<form method="post" action="${base}${SIGN_OUT_PATH}">${hiddenInputs({ csrf_token: formToken })}<button class="wide">Sign out</button></form>`
  return pageResponse({ title: 'You are signed in', body, isSmall: true })
}

function reasonOf(returnTo: string | undefined): string {
  return returnTo?.startsWith(AUTHORIZE_PATH)
    ? 'A connection asks for access to your workspace. Sign in to decide.'
    : 'To your account at this service.'
}

function noticeOf(notice: string | undefined): Html | undefined {
  return notice === undefined ? undefined : markup`<p class="notice" role="alert">${notice}</p>`
}
