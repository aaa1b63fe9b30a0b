import type { Request, Response } from 'express'
import type { Operation } from '../contract/operation.ts'
import type { ReleaseDate } from '../versions/index.ts'
import { parseBetas } from './parse_betas.ts'
import type { HeaderNames } from './header_names.ts'
import { invalidUrl } from './parse_url.ts'
import { parseVersion } from './parse_version.ts'

/** The release of the contract that a request uses, and its beta flags. */
export interface ApiVersion {
  readonly version: ReleaseDate
  readonly betas: readonly string[]
}

interface RoutedRequest {
  readonly operation: Operation
  readonly request: Request
  readonly response: Response | undefined
  readonly now: number
}

/**
 * Parses the version and beta headers of a request, and sets the same headers on its answer.
 * @param response undefined to set nothing yet
 * @param served release dates that are accepted, oldest first; if left out, all dates of the contract
 * @throws ServiceError `missing_version`, `invalid_beta`, or `invalid_request_url` for an operation that the release does not have
 */
export function parseApiVersion(
  headers: HeaderNames,
  { operation, request, response, now }: RoutedRequest,
  served?: readonly ReleaseDate[],
): ApiVersion {
  const version = parseVersion(headers.read(request, 'Version'), headers.nameOf('Version'), served)
  if (response) headers.set(response, 'Version', version)
  const betas = parseBetas(headers.read(request, 'Beta'), version, now, headers.nameOf('Version'))
  if (response && betas.flags.length > 0) headers.set(response, 'Beta', betas.flags.join(', '))
  if (response && betas.sunset !== undefined) response.setHeader('Sunset', betas.sunset)
  requireAvailable(operation, version)
  return { version, betas: betas.flags }
}

function requireAvailable(operation: Operation, version: string): void {
  const { from, before } = operation.available
  if ((from !== undefined && version < from) || (before !== undefined && version >= before)) {
    throw invalidUrl(`${operation.method.toUpperCase()} ${operation.path} does not exist in version ${version}.`)
  }
}
