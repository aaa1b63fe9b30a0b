import type { Request, Response } from 'express'
import type { Operation } from '../contract/operation.ts'
import type { ReleaseDate } from '../versions/index.ts'
import { parseBetas } from './beta.ts'
import type { HeaderNames } from './headers.ts'
import { invalidUrl } from './url.ts'
import { parseVersion } from './version.ts'

/** What a request speaks: a release, and the betas that are switched on. */
export interface Terms {
  readonly version: ReleaseDate
  readonly betas: readonly string[]
}

interface Asked {
  readonly operation: Operation
  readonly request: Request
  readonly response: Response
  readonly now: number
}

/**
 * Reads the terms of a request and repeats them on its answer.
 * @param served release dates, oldest first; left out, all that the contract names
 * @throws ServiceError `missing_version`, `invalid_beta`, `invalid_request_url` for an operation that the release does not have
 */
export function readTerms(
  headers: HeaderNames,
  { operation, request, response, now }: Asked,
  served?: readonly ReleaseDate[],
): Terms {
  const version = parseVersion(headers.read(request, 'Version'), headers.nameOf('Version'), served)
  headers.set(response, 'Version', version)
  const betas = parseBetas(headers.read(request, 'Beta'), version, now, headers.nameOf('Version'))
  if (betas.flags.length > 0) headers.set(response, 'Beta', betas.flags.join(', '))
  if (betas.sunset !== undefined) response.setHeader('Sunset', betas.sunset)
  requireAvailable(operation, version)
  return { version, betas: betas.flags }
}

function requireAvailable(operation: Operation, version: string): void {
  const { from, before } = operation.available
  if ((from !== undefined && version < from) || (before !== undefined && version >= before)) {
    throw invalidUrl(`${operation.method.toUpperCase()} ${operation.path} does not exist in version ${version}.`)
  }
}
