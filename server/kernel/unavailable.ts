import { ServiceError } from './errors.ts'

/** The 503 error: nothing was changed, and the same request may work later. */
export function serviceUnavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', { message, ...(cause === undefined ? {} : { cause, internal: textOf(cause) }) })
}

/** The error if the database does not respond, or another process keeps it locked. */
export function storageUnavailable(cause: unknown): ServiceError {
  return serviceUnavailable('The database does not respond. Nothing was changed.', cause)
}

/** The error if the connection to the database broke during a commit. */
export function outcomeUnknown(cause: unknown): ServiceError {
  return new ServiceError('gateway_timeout', {
    message:
      'The database did not confirm the change, so its outcome is unknown. Read the content before you repeat the request.',
    cause,
    internal: textOf(cause),
  })
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
