import { ServiceError } from '../kernel/errors.ts'

/** What an engine's error means to callers; `storageUnavailable` and `outcomeUnknown` of the kernel are the others. */

/** Two changes met: a position, a name or a record was taken or taken away in the same moment. */
export function concurrentEdit(cause: unknown): ServiceError {
  return new ServiceError('conflict_error', {
    message:
      'Another change to the same content was made at the same moment. Nothing was changed; the request may be sent again.',
    cause,
    internal: textOf(cause),
  })
}

const OVERLOAD_RETRY_SECONDS = 5

/** Work waited its turn for longer than makes sense. */
export function storageOverloaded(cause: unknown): ServiceError {
  return new ServiceError('service_overload', {
    message: 'The storage of the service has too much to do. Nothing was changed; retry after the time in Retry-After.',
    headers: { 'Retry-After': String(OVERLOAD_RETRY_SECONDS) },
    cause,
    internal: textOf(cause),
  })
}

/** A database that cannot be opened at all; the message says which and why, for the operator. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

const NUL = '\0'

/**
 * Engines differ in whether a text may hold U+0000, so none is let in.
 * @throws ServiceError `validation_error`
 */
export function requireStorable(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'string' && value.includes(NUL)) {
      throw new ServiceError('validation_error', {
        message: 'A text of the request holds the character U+0000, which cannot be stored.',
      })
    }
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
