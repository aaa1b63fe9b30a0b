import { storageUnavailable } from '../../kernel/unavailable.ts'
import { concurrentEdit, quotaExceeded } from '../failures.ts'
import { OVER_QUOTA } from './usage_schema.ts'

const ERROR = 1
const BUSY = 5
const LOCKED = 6
const NO_MEMORY = 7
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26
const UNAVAILABLE: ReadonlySet<number> = new Set([
  BUSY,
  LOCKED,
  NO_MEMORY,
  READ_ONLY,
  IO_ERROR,
  CORRUPT,
  FULL,
  CANNOT_OPEN,
  NOT_A_DATABASE,
])

const RAISED_BY_TRIGGER = 1811
const FOREIGN_KEY = 787
const PRIMARY_KEY = 1555
const UNIQUE = 2067
const CONFLICT: ReadonlySet<number> = new Set([FOREIGN_KEY, PRIMARY_KEY, UNIQUE])

const PRIMARY_CODE = 0xff

/** The engine's extended result code; -1 for any other error. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : -1
}

/** Whether an error says that another process has locked the file. */
export function isBusy(error: unknown): boolean {
  return (codeOf(error) & PRIMARY_CODE) === BUSY
}

/** Whether an error says that a file contains a number outside the range of every column, which means damage. */
function isOutOfRange(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE'
}

/**
 * Whether an error says that a column does not exist, which means that its name is damaged: statements name only columns that the
 * migrations create.
 */
function isOfDamagedSchema(error: unknown): boolean {
  return codeOf(error) === ERROR && error instanceof Error && error.message.startsWith('no such column')
}

/** The error of the service for an error of the engine. Other errors are returned unchanged. */
export function sqliteFailure(error: unknown): unknown {
  if (isOutOfRange(error) || isOfDamagedSchema(error)) return storageUnavailable(error)
  const code = codeOf(error)
  if (code === RAISED_BY_TRIGGER && error instanceof Error && error.message.startsWith(OVER_QUOTA))
    return quotaExceeded(error.message.slice(OVER_QUOTA.length), error)
  if (CONFLICT.has(code)) return concurrentEdit(error)
  return code !== -1 && UNAVAILABLE.has(code & PRIMARY_CODE) ? storageUnavailable(error) : error
}
