import { releaseDates, type ReleaseDate } from '../versions/index.ts'
import { ServiceError, shown } from '../kernel/errors.ts'

/**
 * The release date a request speaks.
 * @param header what was sent, or undefined; the same value twice counts once
 * @throws ServiceError `missing_version`
 */
export function parseVersion(header: string | undefined): ReleaseDate {
  const only = releaseDates.find((date) => date === header)
  if (only !== undefined) return only
  const values = [...new Set((header ?? '').split(',').map((value) => value.trim()))].filter((value) => value !== '')
  if (values.length === 0) throw missingVersion('should be defined', undefined)
  const version = values.length === 1 ? releaseDates.find((date) => date === values[0]) : undefined
  if (version === undefined) {
    throw missingVersion(
      `should be ${releaseDates.length === 1 ? '' : 'one of '}${releaseDates.map((date) => `\`"${date}"\``).join(', ')}`,
      values.join(', '),
    )
  }
  return version
}

function missingVersion(expectation: string, value: string | undefined): ServiceError {
  return new ServiceError('missing_version', {
    message: `Service-Version header failed validation: Service-Version header ${expectation}, instead was ${shown(value)}.`,
  })
}
