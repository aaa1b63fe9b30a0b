import type { Operation } from '../../contract/operation.ts'
import type { ReleaseDate } from '../../versions/index.ts'
import type { HeaderNames } from '../header_names.ts'
import { parseBetas } from '../parse_betas.ts'
import { invalidUrl } from '../parse_url.ts'
import { parseVersion } from '../parse_version.ts'
import type { Step } from './step.ts'

/**
 * Reads the version and beta headers, sets the same headers on the response, and refuses an operation that the release does not have.
 * @param served release dates that are accepted, oldest first; by default, all dates of the contract
 */
export function readVersion(headers: HeaderNames, served?: readonly ReleaseDate[]): Step {
  return async (context, { operation }, next) => {
    const { request, response, now } = context
    const version = parseVersion(headers.read(request, 'Version'), headers.nameOf('Version'), served)
    headers.set(response, 'Version', version)
    const betas = parseBetas(headers.read(request, 'Beta'), version, now, headers.nameOf('Version'))
    if (betas.flags.length > 0) headers.set(response, 'Beta', betas.flags.join(', '))
    if (betas.sunset !== undefined) response.setHeader('Sunset', betas.sunset)
    requireAvailable(operation, version)
    Object.assign(context, { version, betas: betas.flags })
    return next()
  }
}

function requireAvailable(operation: Operation, version: string): void {
  const { from, before } = operation.available
  if ((from !== undefined && version < from) || (before !== undefined && version >= before)) {
    throw invalidUrl(`${operation.method.toUpperCase()} ${operation.path} does not exist in version ${version}.`)
  }
}
