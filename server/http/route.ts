import { findRoute, type Operation, type RouteMatch } from '../contract/operation.ts'
import { ServiceError } from '../kernel/errors.ts'
import { invalidUrl } from './url.ts'

/** @throws ServiceError `invalid_request_url` for a path that the contract does not have, or not with this method */
export function requireRoute(method: string, segments: readonly string[]): RouteMatch {
  const match = findRoute(method, segments)
  if (match === undefined) throw invalidUrl('There is no such path.')
  if ('operation' in match) return match
  throw invalidUrl(`This path is not served with ${method}.`, { Allow: match.join(', ') })
}

/** @throws ServiceError `invalid_request` for a caller who takes nothing that the operation answers */
export function requireAcceptable({ successTypes }: Operation, accept: string | undefined): void {
  if (accept === undefined || accept.trim() === '' || accept.split(',').some((range) => allowsOneOf(successTypes, range))) return
  throw new ServiceError('invalid_request', {
    message: `This operation answers ${successTypes.join(' or ')}; the Accept header excludes that.`,
  })
}

/** @param range one entry of an Accept header; a weight of zero excludes what it names */
function allowsOneOf(types: readonly string[], range: string): boolean {
  const [wanted = '', ...parameters] = range
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) return false
  return wanted === '*/*' || types.some((type) => type === wanted || wanted === `${type.split('/', 1)[0]}/*`)
}
