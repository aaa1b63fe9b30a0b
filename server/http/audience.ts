import { findRoute } from '../contract/operation.ts'
import { operations } from '../../generated/operations.ts'
import type { Request } from 'express'
import { parseUrl } from './parse_url.ts'

/** Who reads a response: a caller of the API, an OAuth client, or a person in a browser. */
export type Audience = 'api' | 'client' | 'person'

/** Matches paths below `/v1/oauth/`, and those that could be once their percent-encoding is decoded. */
const MAY_BE_OAUTH = /^\/v1\/oauth\/|%/
/** The longest part of a path that is compared: no page has a longer path. */
const PATH_LENGTH_MAX = 1_000

/**
 * The reader of the response to a request. It follows from the path, the method and the Accept header, so it is known even for invalid
 * requests.
 */
export function audienceOf(request: Request, target: string): Audience {
  if (MAY_BE_OAUTH.test(target)) {
    const credentials = credentialsOf(request, target)
    if (credentials === 'client') return 'client'
    if (credentials === 'none') return 'person'
  }
  return isNavigation(request.headers.accept) && mayBePage(target) ? 'person' : 'api'
}

function credentialsOf(request: Request, target: string): string | undefined {
  try {
    const match = findRoute(request.method, parseUrl(target).segments)
    return match && 'operation' in match ? match.operation.credentials : undefined
  } catch {
    return undefined
  }
}

const CONSENT_PATH = operations.retrieveAuthorizationPage.path

/** Whether a request target, which may be invalid, could belong to a page. Below `/v1/`, only the consent page is one. */
export function mayBePage(target: string): boolean {
  const path = (target.split('?', 1)[0] ?? '').slice(0, PATH_LENGTH_MAX)
  const plain = path.replaceAll(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  return !plain.startsWith('/v1/') || plain.startsWith(CONSENT_PATH)
}

/** Whether an Accept header names HTML, as browsers do when someone opens an address or submits a form. */
export function isNavigation(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/html\b/i.test(accept)
}
