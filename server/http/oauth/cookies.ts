import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request } from 'express'

/** What the service keeps in a browser: who is signed in, which browser a sign-in form was made for, and that it was used before. */
type CookieName = 'session' | 'visitor' | 'device'

const VALUE = /^[A-Za-z0-9_]{10,100}$/

/** Over HTTPS a cookie is bound to this very host; no sibling can plant it. */
function fullName(name: CookieName, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

/** @returns undefined when there is no such cookie, or it holds nothing that this service made */
export function findCookie(request: Pick<Request, 'headers'>, name: CookieName, isSecure: boolean): string | undefined {
  const sent = parseCookie(request.headers.cookie ?? '', { decode: (value) => value })
  const value = sent[fullName(name, isSecure)]
  return value !== undefined && VALUE.test(value) ? value : undefined
}

/**
 * A `Set-Cookie` header. The cookie is out of reach of scripts and of other sites' forms, but comes along when a link of another
 * site leads here: that is how an authorization begins.
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
