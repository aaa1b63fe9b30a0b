import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request } from 'express'

/**
 * `session` identifies a signed-in person, `visitor` the browser for which a sign-in form was made, and `device` a browser in which
 * somebody has signed in before.
 */
type CookieName = 'session' | 'visitor' | 'device'

const VALUE = /^[A-Za-z0-9_]{10,100}$/

/** The full name of a cookie. Over HTTPS, the prefix `__Host-` binds the cookie to this host, so that no sibling domain can set it. */
function fullName(name: CookieName, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

/** @returns undefined if there is no such cookie, or its value has another form than the service's cookies */
export function findCookie(request: Pick<Request, 'headers'>, name: CookieName, isSecure: boolean): string | undefined {
  const sent = parseCookie(request.headers.cookie ?? '', { decode: (value) => value })
  const value = sent[fullName(name, isSecure)]
  return value !== undefined && VALUE.test(value) ? value : undefined
}

/**
 * A `Set-Cookie` header. Scripts cannot read the cookie, and browsers do not send it with forms of other sites. Browsers do send it when a
 * person follows a link from another site, because this is how an authorization begins.
 * @param value undefined removes the cookie
 */
export function cookieHeader(name: CookieName, value: string | undefined, isSecure: boolean, maxAgeMs: number): string {
  return stringifySetCookie({
    name: fullName(name, isSecure),
    value,
    path: '/',
    maxAge: value === undefined ? 0 : Math.floor(maxAgeMs / 1000),
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  })
}
