import type { DatabaseAddress } from '../kernel/addresses.ts'
import type { Database } from './database.ts'
import { openPostgresql } from './dialects/postgresql.ts'
import { openSqlite } from './dialects/sqlite.ts'
import { UnusableDatabase } from './failures.ts'
import { storeLimits, type StoreLimits } from './limits.ts'

/** Opens a database. A database server is contacted only by the first statement. @throws UnusableDatabase if a file cannot be opened */
export function openDatabase(address: DatabaseAddress, limits: StoreLimits = storeLimits): Database {
  if (address.engine === 'postgresql') return openPostgresql(address.url, limits, address.listenUrl)
  try {
    return openSqlite(address.path, limits)
  } catch (error) {
    throw new UnusableDatabase(
      `The database file ${address.path} cannot be opened: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    )
  }
}
