import { ServiceError } from '../kernel/errors.ts'

/** Errors of the service for failures of an engine; see also `storageUnavailable` and `outcomeUnknown` in the kernel. */

/** The error if a transaction conflicted with a concurrent one. */
export function concurrentEdit(cause: unknown): ServiceError {
  return new ServiceError('conflict_error', {
    message: 'Another request changed the same content at the same time. Nothing was changed; send the request again.',
    cause,
    internal: textOf(cause),
  })
}

const OVERLOAD_RETRY_SECONDS = 5

/** The error if work waited too long in a queue or for a connection. */
export function storageOverloaded(cause: unknown): ServiceError {
  return new ServiceError('service_overload', {
    message: 'The database is overloaded. Nothing was changed; retry after the time in Retry-After.',
    headers: { 'Retry-After': String(OVERLOAD_RETRY_SECONDS) },
    cause,
    internal: textOf(cause),
  })
}

/** Thrown if a database cannot be opened. The message tells the operator which database, and why. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/**
 * The error if a change would exceed a quota of its workspace.
 * @param text the text of the engine's error: the kind and the limit, such as `pages 100`
 */
export function quotaExceeded(text: string, cause: unknown): ServiceError {
  const [kind = '', limit = ''] = text.trim().split(' ')
  const label = kind === 'bytes' ? 'bytes of files' : kind === 'notes' ? 'meeting notes' : kind
  return new ServiceError('row_limit_exceeded', {
    message: `This workspace may contain at most ${limit} ${label}, including the trash. Nothing was changed; its operator can raise the limit.`,
    additionalData: { quota: kind, limit },
    cause,
  })
}

const NUL = '\0'

/**
 * Refuses texts that contain U+0000, which not every engine can store.
 * @throws ServiceError `validation_error`
 */
export function requireStorable(values: readonly unknown[]): void {
  for (const value of values) {
    if (typeof value === 'string' && value.includes(NUL)) {
      throw new ServiceError('validation_error', {
        message: 'A string of the request contains the character U+0000, which cannot be stored.',
      })
    }
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
