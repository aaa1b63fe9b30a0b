import pg from 'pg'
import { ServiceError } from '../../kernel/errors.ts'
import { storageUnavailable } from '../../kernel/unavailable.ts'
import { concurrentEdit, storageOverloaded } from '../failures.ts'

/** Deadlock and serialization failure: nothing was kept, so the work may run again. */
const REPEATABLE = /^(?:40P01|40001)$/
/** Someone else has made the same row, or taken away the one that this one needs. */
const CONFLICT = /^(?:23503|23505)$/
/** A lock could not be had in time, because other writers stand before it. */
const LOCK_TIMEOUT = '55P03'
/**
 * The server is not there (08, 57P01–57P05), has no room (53), cannot use its disk (58, XX001, XX002), is a copy that takes no
 * writes (25006), gave up a statement (57014) or a transaction (25P03, 25P04) after its time; or there is no way to it.
 */
const UNAVAILABLE =
  /^(?:08...|53...|58...|57P0[1-5]|57014|25006|25P0[34]|XX00[12]|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)$/
/** What the driver says, without a code, when a connection is gone or does not answer. */
const LOST_CONNECTION =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REPEATABLE.test(codeOf(error))
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ServiceError) return false
  const code = codeOf(error)
  return code === '' ? LOST_CONNECTION.test(error.message) : UNAVAILABLE.test(code)
}

/** The connection may still be busy with a statement that no one waits for any more, or is gone: it cannot be used again. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '' && LOST_CONNECTION.test(error.message)
}

/** The driver has waited for a connection of the pool, or for the server to take a new one. */
export function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')
}

/** What goes out for an error of the engine; any other error goes out as it is. */
export function postgresqlFailure(error: unknown): unknown {
  if (isUnavailable(error)) return storageUnavailable(error)
  if (codeOf(error) === LOCK_TIMEOUT) return storageOverloaded(error)
  return error instanceof pg.DatabaseError && (isRepeatable(error) || CONFLICT.test(codeOf(error)))
    ? concurrentEdit(error)
    : error
}
