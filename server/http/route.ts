import { findRoute, type RouteMatch } from '../contract/operation.ts'
import { invalidUrl } from './url.ts'

/** @throws ServiceError `invalid_request_url` for a path that the contract does not have, or not with this method */
export function requireRoute(method: string, segments: readonly string[]): RouteMatch {
  const match = findRoute(method, segments)
  if (match === undefined) throw invalidUrl('There is no such path.')
  if ('operation' in match) return match
  throw invalidUrl(`This path is not served with ${method}.`, { Allow: match.join(', ') })
}
