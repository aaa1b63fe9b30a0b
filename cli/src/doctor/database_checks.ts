import { newestRelease } from '../../../generated/operations.ts'
import { listWorkspaces } from '@workspace-service/server/store/workspaces.ts'
import { integrityProblems } from '@workspace-service/server/store/backup.ts'
import { distributedTables, distributionProblem } from '@workspace-service/server/store/dialects/distribution.ts'
import { READ_ONLY } from '@workspace-service/server/store/dialects/postgresql_session_settings.ts'
import { engineFacts } from '@workspace-service/server/store/engine_facts.ts'
import { newestEditTime } from '@workspace-service/server/store/newest_edit_time.ts'
import { newestSchema, schemaState } from '@workspace-service/server/store/migrations.ts'
import { schemaDifferences } from '@workspace-service/server/store/schema_differences.ts'
import { ok, problem, skipped, warning, type DoctorFinding, type CheckInput } from './finding.ts'

const CLOCK_WARNING_MS = 2_000
/** A clock that shows an earlier time is wrong. */
const RELEASE_TIME = Date.parse(`${newestRelease}T00:00:00Z`)
const CONNECTIONS_RESERVED = 10

export async function checkSchema({ database }: CheckInput): Promise<DoctorFinding> {
  if (database === undefined) return skipped('schema', 'not checked without a database')
  const { schema, pending, refusal } = await schemaState(database)
  if (refusal !== undefined)
    return problem('schema', `the database has schema ${schema}; this release needs ${newestSchema}`, refusal)
  if (pending.length > 0)
    return problem(
      'schema',
      `migrations are missing: ${pending.join(', ')}`,
      'Start the service, or run: workspace-service migrate',
    )
  const differences = await schemaDifferences(database)
  if (differences.length > 0)
    return problem(
      'schema',
      `definitions differ from those of schema ${schema}: ${differences.slice(0, 5).join(', ')}`,
      'Stop the service, keep a copy of the file, and restore the last good backup.',
    )
  const workspaces = await database.read(listWorkspaces)
  return ok('schema', `schema ${schema}, ${workspaces.length} workspace${workspaces.length === 1 ? '' : 's'}`)
}

/** Whether sessions of the database have the settings of the service, and may write. */
export async function checkSessions({ database }: CheckInput): Promise<DoctorFinding> {
  if (database === undefined) return skipped('sessions', 'the database cannot be opened')
  if (database.engine === 'sqlite') return skipped('sessions', 'SQLite has none')
  const reason = await database.outage()
  if (reason === undefined) return ok('sessions', 'the database can be written to, and its sessions have all settings')
  const remedy =
    reason === READ_ONLY
      ? 'Set DATABASE_URL to the address of the primary.'
      : 'Run: workspace-service migrate; then let the pooler reconnect to its server.'
  return problem('sessions', reason, remedy)
}

/** Whether a distributed database has placed all tables, and its workers have the settings of the service. */
export async function checkDistribution({ database }: CheckInput): Promise<DoctorFinding> {
  if (database === undefined) return skipped('distribution', 'the database cannot be opened')
  if (database.engine === 'sqlite') return skipped('distribution', 'SQLite keeps all tables in one file')
  const [tables, reason] = await database.read(
    async (db) => [await distributedTables(db), await distributionProblem(db)] as const,
  )
  if (reason !== undefined) return problem('distribution', reason, 'Run: workspace-service database distribute')
  if (tables.size === 0) return skipped('distribution', 'all tables are on one server')
  return ok('distribution', `${tables.size} tables, each where it belongs`)
}

/** Whether the database is intact. PostgreSQL checks that itself. */
export async function checkIntegrity({ config, database }: CheckInput): Promise<DoctorFinding> {
  if (config === undefined || database === undefined) return skipped('integrity', 'not checked without a database')
  if (config.database.engine !== 'sqlite') return skipped('integrity', 'for PostgreSQL, see pg_amcheck')
  const found = integrityProblems(config.database.path, true)
  if (found.length === 0) return ok('integrity', 'all pages, indexes and references are intact')
  return problem(
    'integrity',
    found.slice(0, 5).join('; '),
    'Stop the service, keep a copy of the file, and restore the last good backup.',
  )
}

/** After a checkpoint, the log is truncated to half of this; only a long read transaction lets it grow beyond that half. */
const LOG_WARNING_BYTES = 128 * 1024 * 1024

/** Whether the write-ahead log of SQLite is small. It grows while a reader prevents checkpoints. */
export async function checkLog({ config, database }: CheckInput): Promise<DoctorFinding> {
  if (config === undefined || database === undefined) return skipped('log', 'not checked without a database')
  if (config.database.engine !== 'sqlite') return skipped('log', 'PostgreSQL manages its own')
  const { wal = 0 } = (await database.statistics()).bytes
  const detail = `the write-ahead log has ${(wal / 1024 / 1024).toFixed(1)} MB`
  if (wal < LOG_WARNING_BYTES) return ok('log', detail)
  return warning('log', detail, 'A program has kept the database open for reading for a long time. Find it with: lsof <file>')
}

/** Whether the clock is right: no record is dated in the future, and the clock of the database agrees. */
export async function checkClock({ database }: CheckInput): Promise<DoctorFinding> {
  const now = Date.now()
  const advice = 'Set the clock and synchronize it with NTP: tokens, links and cursors expire by it.'
  if (now < RELEASE_TIME)
    return problem('clock', `${new Date(now).toISOString()}, which is before the date of this release`, advice)
  if (database === undefined) return ok('clock', new Date(now).toISOString())
  const { clock } = await engineFacts(database)
  const difference = clock === undefined ? 0 : Math.abs(clock - Date.now())
  if (difference > CLOCK_WARNING_MS)
    return warning('clock', `${(difference / 1000).toFixed(1)} s off the clock of the database`, advice)
  const newest = await database.read(newestEditTime).catch(() => 0)
  if (newest > now + CLOCK_WARNING_MS)
    return warning('clock', `the newest change has the time ${new Date(newest).toISOString()}, which is in the future`, advice)
  return ok('clock', new Date(now).toISOString())
}

/** Whether the database allows as many connections as all workers may open. */
export async function checkConnections({ config, database }: CheckInput): Promise<DoctorFinding> {
  if (config === undefined || database === undefined) return skipped('connections', 'not checked without a database')
  const { connectionsMax, connectionsPerProcess } = await engineFacts(database)
  if (connectionsMax === undefined) return skipped('connections', 'SQLite needs none')
  const wanted = config.workers * connectionsPerProcess
  const detail = `${config.workers} process${config.workers === 1 ? '' : 'es'} may open ${wanted} connections; the database allows ${connectionsMax}`
  return wanted + CONNECTIONS_RESERVED > connectionsMax
    ? warning('connections', detail, 'Raise max_connections of the database, or lower WORKERS.')
    : ok('connections', detail)
}
