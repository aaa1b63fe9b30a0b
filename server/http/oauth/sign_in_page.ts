import type { Answer } from '../answer.ts'
import { hiddenFields } from './consent_page.ts'
import { markup, type Html } from './html.ts'
import { pageAnswer } from './page.ts'

/** After signing in, the authorization that was asked for may end at once, back at the connection. */
const FORM_TARGETS = "'self' https: http:"

interface SignInForm {
  readonly formToken: string
  /** Path to go on to; undefined for none. */
  readonly returnTo: string | undefined
  readonly email?: string
  readonly notice?: string
  readonly status?: number
  readonly cookies?: readonly string[]
}

export function signInPage({ formToken, returnTo, email = '', notice, status = 200, cookies = [] }: SignInForm): Answer {
  const body = markup`<h1>Sign in</h1>
<p class="soft">${returnTo === undefined ? 'To your account at this service.' : 'A connection asks for access to your workspace. Sign in to decide.'}</p>
${noticeOf(notice)}
<form method="post" action="/sign-in">
${hiddenFields({ csrf_token: formToken, ...(returnTo === undefined ? {} : { return_to: returnTo }) })}
<label class="field" for="email">E-mail address</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="username" required maxlength="200"${email === '' && markup` autofocus`}>
<label class="field" for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required maxlength="1000"${email !== '' && markup` autofocus`}>
<button class="main wide">Sign in</button>
</form>
<p class="small-print">No password? Whoever runs this service can give you a link that signs you in once.</p>`
  return pageAnswer({ status, title: 'Sign in', body, isSmall: true, formTargets: FORM_TARGETS, cookies })
}

/** The link alone does not sign in: programs that look at links ahead of people would use it up. */
export function linkPage(formToken: string, token: string, cookies: readonly string[]): Answer {
  const body = markup`<h1>Sign in</h1>
<p class="soft">This link works once.</p>
<form method="post" action="/sign-in/link">
${hiddenFields({ csrf_token: formToken, token })}
<button class="main wide" autofocus>Sign in</button>
</form>`
  return pageAnswer({ title: 'Sign in', body, isSmall: true, cookies })
}

export function signedInPage(email: string, formToken: string): Answer {
  const body = markup`<h1>You are signed in</h1>
<p class="soft">As ${email}. To connect something to your workspace, begin at the connection: it sends you here to decide.</p>
<form method="post" action="/sign-out">${hiddenFields({ csrf_token: formToken })}<button class="wide">Sign out</button></form>`
  return pageAnswer({ title: 'You are signed in', body, isSmall: true })
}

function noticeOf(notice: string | undefined): Html | undefined {
  return notice === undefined ? undefined : markup`<p class="notice" role="alert">${notice}</p>`
}
