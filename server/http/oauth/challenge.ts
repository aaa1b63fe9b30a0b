import { ServiceError } from '../../kernel/errors.ts'
import type { Request } from 'express'
import { RESOURCE_METADATA_PATH } from './metadata_paths.ts'

/**
 * Tells someone whose token is missing or invalid where tokens come from (RFC 6750, RFC 9728).
 * @returns what was thrown, with the challenge where it is 401 of the API
 */
export function challenging(thrown: unknown, { headers }: Request, baseUrl: string): unknown {
  if (!(thrown instanceof ServiceError) || thrown.code !== 'unauthorized') return thrown
  const wasSent = /^bearer\b/i.test(headers.authorization ?? '')
  const challenge = `Bearer realm="api"${wasSent ? ', error="invalid_token"' : ''}, resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}"`
  return new ServiceError('unauthorized', {
    message: thrown.message,
    headers: { ...thrown.headers, 'WWW-Authenticate': challenge },
    cause: thrown,
  })
}
