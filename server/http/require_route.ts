import { findRoute, type RouteMatch } from '../contract/operation.ts'
import { invalidUrl } from './parse_url.ts'

/** Finds the operation of a request. @throws ServiceError `invalid_request_url` for an unknown path or a method that it does not have */
export function requireRoute(method: string, segments: readonly string[]): RouteMatch {
  const match = findRoute(method, segments)
  if (match === undefined) throw invalidUrl('There is no such path.')
  if ('operation' in match) return match
  throw invalidUrl(`This path is not served with ${method}.`, { Allow: match.join(', ') })
}
