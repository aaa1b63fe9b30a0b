import type { HeaderNames } from '../header_names.ts'
import { parseVersion } from '../parse_version.ts'
import type { Step } from './step.ts'

/** Reads the version of an OAuth client's request. It is optional, and the response does not repeat it. */
export function readClientVersion(headers: HeaderNames): Step {
  return async (context, _call, next) => {
    const version = headers.read(context.request, 'Version')
    if (version !== undefined) context.version = parseVersion(version, headers.nameOf('Version'))
    return next()
  }
}
