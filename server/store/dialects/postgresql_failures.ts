import pg from 'pg'
import { ServiceError } from '../../kernel/errors.ts'
import { storageUnavailable } from '../../kernel/unavailable.ts'
import { concurrentEdit, quotaExceeded, storageOverloaded } from '../failures.ts'
import { OVER_QUOTA, OVER_QUOTA_CODE } from './usage_schema.ts'

/** Matches deadlocks and serialization failures: the transaction was rolled back and may run again. */
const REPEATABLE = /^(?:40P01|40001)$/
/**
 * Matches violations of unique and foreign keys: a concurrent transaction inserted the same row, or deleted one to which this row refers.
 */
const CONFLICT = /^(?:23503|23505)$/
/** The code if a lock was not granted in time. */
const LOCK_TIMEOUT = '55P03'
/**
 * Matches the codes of outages: the server is down or shutting down (08, 57P01–57P05), out of resources (53), has an I/O error or corrupt
 * data (58, XX001, XX002), is a read-only replica (25006), or ended a statement (57014) or transaction (25P03, 25P04) after a timeout.
 */
const UNAVAILABLE = /^(?:08...|53...|58...|57P0[1-5]|57014|25006|25P0[34]|XX00[12])$/
/** Matches codes of connections that the network has ended, or that could not be opened. */
const DISCONNECTED = /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)$/
/** Matches messages of the driver, which have no code, about a connection that is lost or does not respond. */
const LOST_CONNECTION =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/

/** The code and messages of a distributed database whose coordinator lost the connection to another node. */
const INTERNAL = 'XX000'
const LOST_NODE = /^(?:SSL SYSCALL error|server closed the connection unexpectedly|could not (?:receive|send) data)/

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REPEATABLE.test(codeOf(error))
}

export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ServiceError) return false
  const code = codeOf(error)
  return isConnectionLost(error) || UNAVAILABLE.test(code) || (code === INTERNAL && LOST_NODE.test(error.message))
}

/** Whether a connection cannot be used again: it is closed, or may still be busy with a statement that timed out. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  return error instanceof Error && (code === '' ? LOST_CONNECTION.test(error.message) : DISCONNECTED.test(code))
}

/** Whether the driver refused a statement because the connection had already been lost, so that the server never received it. */
export function isUnsent(error: unknown): boolean {
  return (
    error instanceof Error && /^Client (?:has encountered a connection error|was closed) and is not queryable/.test(error.message)
  )
}

/** Whether the driver timed out waiting for a free connection of the pool, or for the server to accept a new one. */
export function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')
}

/** The error of the service for an error of the engine. Other errors are returned unchanged. */
export function postgresqlFailure(error: unknown): unknown {
  if (isUnavailable(error)) return storageUnavailable(error)
  if (error instanceof pg.DatabaseError && error.code === OVER_QUOTA_CODE)
    return quotaExceeded(error.message.slice(OVER_QUOTA.length), error)
  if (codeOf(error) === LOCK_TIMEOUT) return storageOverloaded(error)
  return error instanceof pg.DatabaseError && (isRepeatable(error) || CONFLICT.test(codeOf(error)))
    ? concurrentEdit(error)
    : error
}
