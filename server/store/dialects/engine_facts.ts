import type { Connection, Database } from '../database.ts'
import { storeLimits } from '../limits.ts'

/** One connection shows other processes that this one is alive. */
const PRESENCE_CONNECTIONS = 1

/** The report of `doctor` about an engine. */
export interface EngineFacts {
  readonly version: string
  /** The time of the engine in milliseconds since 1970; undefined if it runs in this process. */
  readonly clock: number | undefined
  /** The maximum number of connections that the engine accepts; undefined if it runs in this process. */
  readonly connectionsMax: number | undefined
  /** The maximum number of connections that one process opens. */
  readonly connectionsPerProcess: number
}

export async function engineFacts(database: Database): Promise<EngineFacts> {
  return database.read(database.engine === 'sqlite' ? sqliteFacts : postgresqlFacts)
}

async function sqliteFacts(db: Connection): Promise<EngineFacts> {
  const row = await db.get({ version: 'text' }, 'select sqlite_version() as version')
  return { version: `SQLite ${row?.version ?? ''}`, clock: undefined, connectionsMax: undefined, connectionsPerProcess: 0 }
}

async function postgresqlFacts(db: Connection): Promise<EngineFacts> {
  const row = await db.get(
    { version: 'text', clock: 'integer', maximum: 'text' },
    `select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::bigint as clock,
       current_setting('max_connections') as maximum`,
  )
  const { reads, writes, background } = storeLimits.connectionsMax
  return {
    version: `PostgreSQL ${row?.version ?? ''}`,
    clock: row?.clock,
    connectionsMax: Number(row?.maximum),
    connectionsPerProcess: reads + writes + background + PRESENCE_CONNECTIONS,
  }
}
