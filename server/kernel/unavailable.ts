import { ServiceError } from './errors.ts'

/** 503: nothing was changed, and the same request may work later. */
export function serviceUnavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', { message, ...(cause === undefined ? {} : { cause, internal: textOf(cause) }) })
}

/** The database does not answer, or somebody else keeps it locked. */
export function storageUnavailable(cause: unknown): ServiceError {
  return serviceUnavailable('The storage of the service does not answer at the moment. Nothing was changed.', cause)
}

/** The connection to the database broke while a transaction was being committed. */
export function outcomeUnknown(cause: unknown): ServiceError {
  return new ServiceError('gateway_timeout', {
    message:
      'The storage of the service did not confirm this change. It may have been made or not: look before sending it again.',
    cause,
    internal: textOf(cause),
  })
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
