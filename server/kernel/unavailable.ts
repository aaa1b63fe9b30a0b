import { ServiceError } from './errors.ts'

/** 503: nothing was changed, and the same request may work later. */
export function serviceUnavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', { message, ...(cause === undefined ? {} : { cause, internal: textOf(cause) }) })
}

/** The database does not respond, or another process keeps it locked. */
export function storageUnavailable(cause: unknown): ServiceError {
  return serviceUnavailable('The database is not responding at the moment. Nothing was changed.', cause)
}

/** The connection to the database broke during a commit. */
export function outcomeUnknown(cause: unknown): ServiceError {
  return new ServiceError('gateway_timeout', {
    message: 'The database did not confirm this change, which may or may not have been made. Check before you send it again.',
    cause,
    internal: textOf(cause),
  })
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
