import { releaseDates, type ReleaseDate } from '../versions/index.ts'
import { ServiceError, shown } from '../kernel/errors.ts'

/**
 * Parses the release date of a request.
 * @param header the value of the version header, in which the same date may be repeated; undefined if it was not sent
 * @param name the name of the header, for messages
 * @param served the release dates that are accepted, oldest first
 * @throws ServiceError `missing_version`
 */
export function parseVersion(
  header: string | undefined,
  name: string,
  served: readonly ReleaseDate[] = releaseDates,
): ReleaseDate {
  const only = served.find((date) => date === header)
  if (only !== undefined) return only
  const values = [...new Set((header ?? '').split(',').map((value) => value.trim()))].filter((value) => value !== '')
  if (values.length === 0) throw missingVersion(name, 'should be defined', undefined)
  const version = values.length === 1 ? served.find((date) => date === values[0]) : undefined
  if (version === undefined) {
    throw missingVersion(
      name,
      `should be ${served.length === 1 ? '' : 'one of '}${served.map((date) => `\`"${date}"\``).join(', ')}`,
      values.join(', '),
    )
  }
  return version
}

function missingVersion(name: string, expectation: string, value: string | undefined): ServiceError {
  return new ServiceError('missing_version', {
    message: `${name} header failed validation: ${name} header ${expectation}, instead was ${shown(value)}.`,
  })
}
