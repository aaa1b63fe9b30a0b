import { ServiceError } from '../../kernel/errors.ts'
import type { Request } from 'express'
import { RESOURCE_METADATA_PATH } from './metadata_paths.ts'

/**
 * Adds a `WWW-Authenticate` header to the error for a missing or invalid token; the header links to the metadata that says where to get
 * tokens (RFC 6750, RFC 9728).
 * @returns any other thrown value unchanged
 */
export function withChallenge(
  thrown: unknown,
  { headers }: Request,
  baseUrl: string,
  metadataPath = RESOURCE_METADATA_PATH,
): unknown {
  if (!(thrown instanceof ServiceError) || thrown.code !== 'unauthorized') return thrown
  const wasSent = /^bearer\b/i.test(headers.authorization ?? '')
  const challenge = `Bearer realm="api"${wasSent ? ', error="invalid_token"' : ''}, resource_metadata="${baseUrl}${metadataPath}"`
  return new ServiceError('unauthorized', {
    message: thrown.message,
    headers: { ...thrown.headers, 'WWW-Authenticate': challenge },
    cause: thrown,
  })
}
