import { newCall, type Call } from '../../application/call.ts'
import { findRoute, similarPath } from '../../contract/operation.ts'
import type { HttpContext } from '../http_context.ts'
import { invalidUrl, parseUrl } from '../parse_url.ts'

/**
 * Finds the operation of a request: the first step of every chain.
 * @throws ServiceError `invalid_request_url` for an unknown path or a method that the path does not have
 */
export function routeCall(context: HttpContext): Call {
  const { segments, query } = parseUrl(context.target)
  const { method } = context.request
  const match = findRoute(method, segments)
  if (match === undefined) throw invalidUrl(`This path does not exist.${hintOf(similarPath(segments))}`)
  if (!('operation' in match)) throw invalidUrl(`This path does not support the method ${method}.`, { Allow: match.join(', ') })
  context.operationLabel = match.operation.id
  return newCall(match.operation, match.pathParameters, query)
}

function hintOf(path: string | undefined): string {
  return path === undefined ? '' : ` Did you mean ${path}?`
}
