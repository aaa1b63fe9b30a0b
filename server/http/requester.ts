import { findRoute } from '../contract/operation.ts'
import { operations } from '../../generated/operations.ts'
import type { Request } from 'express'
import { parseUrl } from './url.ts'

/** Who waits for an answer: a caller of the API, an OAuth client, or a person with a browser. */
export type Requester = 'api' | 'client' | 'person'

/** A path that is written in another way has to be read to be known. */
const MAY_BE_OAUTH = /^\/v1\/oauth\/|%/
/** Longer than the path of any page. */
const PATH_LENGTH_MAX = 1_000

/** Known before anything is checked, so that it holds for every fault: by the path and method alone, or by what a browser asks for. */
export function requesterOf(request: Request, target: string): Requester {
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

/** Everything is a page that does not lie below the API, where the consent page alone is one. However it is written, and whatever is wrong with it. */
export function mayBePage(target: string): boolean {
  const path = (target.split('?', 1)[0] ?? '').slice(0, PATH_LENGTH_MAX)
  const plain = path.replaceAll(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  return !plain.startsWith('/v1/') || plain.startsWith(CONSENT_PATH)
}

/** Browsers name HTML when someone opens an address or sends a form; programs name it only when they mean it. */
export function isNavigation(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/html\b/i.test(accept)
}
