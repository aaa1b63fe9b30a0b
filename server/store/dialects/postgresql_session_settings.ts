import type pg from 'pg'
import type { Connection, Transaction } from '../database.ts'
import { UnusableDatabase } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import { sql, type Sql } from '../sql.ts'
import { allowNames, isOfServer, runStatement } from './postgresql_statements.ts'

/** Settings by name, with values in the form of `pg_settings`. */
export type SessionSettings = Readonly<Record<string, string>>

/** How many sessions `outageOf` examines at the same time. */
const SESSIONS_EXAMINED = 4

/**
 * The settings of a session. Every statement of the service is meant to find its rows by an index. Without these settings, the planner may
 * scan a whole table that is small or has outdated statistics, and continue to do so while the table grows.
 */
export function sessionSettings({ statementMs, lockWaitMs }: StoreLimits): SessionSettings {
  return {
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    jit: 'off',
    statement_timeout: `${statementMs}`,
    lock_timeout: `${lockWaitMs}`,
    // A process that hangs must not keep its locks forever.
    idle_in_transaction_session_timeout: `${statementMs}`,
  }
}

/** SQL for the settings that a session lacks: the table `s`, with their names, and the wanted values as `wanted.value`. */
function lacking(settings: SessionSettings): Sql {
  const [names, values] = [Object.keys(settings), Object.values(settings)].map((list) => `{${list.join(',')}}`)
  return sql`unnest(${names ?? ''}::text[], ${values ?? ''}::text[]) as wanted (name, value)
    join pg_settings s on s.name = wanted.name and s.setting <> wanted.value`
}

/**
 * Stores the settings as defaults of the service's role in this database, so that they also apply to sessions that a pooler opens. Any
 * role may do this for itself. Open sessions do not change.
 * @param write runs work in a transaction that excludes other processes that do the same
 * @throws UnusableDatabase on a standby
 */
export async function makeDefaults(
  reader: Connection,
  settings: SessionSettings,
  write: (work: (transaction: Transaction) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (await isReadOnly(reader)) throw new UnusableDatabase(`${READ_ONLY}.`)
  if ((await missingDefaults(reader, settings)).length === 0) return
  await write(async (db) => {
    const changes = (await missingDefaults(db, settings)).map(
      ([name, value]) =>
        `execute format('alter role %I in database %I set ${name} = ${value}', session_user, current_database());`,
    )
    await db.run(`do $$ begin ${changes.join(' ')} end $$`)
  })
}

async function missingDefaults(db: Connection, settings: SessionSettings): Promise<[string, string][]> {
  const rows = await db.all(
    { setting: 'text' },
    `select unnest(c.setconfig) as setting from pg_db_role_setting c
     join pg_database d on d.oid = c.setdatabase join pg_roles r on r.oid = c.setrole
     where d.datname = current_database() and r.rolname = session_user`,
  )
  const present = new Set(rows.map(({ setting }) => setting))
  return Object.entries(settings).filter(([name, value]) => !present.has(`${name}=${value}`))
}

/** Prepares a new connection. If its session began before the defaults were made, it gets the settings that it lacks. */
export async function prepareConnection(client: pg.ClientBase, settings: SessionSettings, timeoutMs: number): Promise<void> {
  const corrected = sql`select count(set_config(s.name, wanted.value, false)) from ${lacking(settings)}`
  const question = sql`select pg_backend_pid() as pid, (${corrected}) as corrected`
  const { rows } = await runStatement(client, question.sql, question.parameters, timeoutMs)
  if (isOfServer(client, rows[0])) allowNames(client)
}

/** Why the service cannot use a database that is read-only. */
export const READ_ONLY = 'the database is read-only: its server is a standby, or set to be read-only'

async function isReadOnly(db: Connection): Promise<boolean> {
  const row = await db.get({ setting: 'text' }, `select current_setting('transaction_read_only') as setting`)
  return row?.setting === 'on'
}

/**
 * Why the service cannot use the database; undefined if it can. Several sessions are examined: statements that run at the same time get
 * different ones from a pooler.
 */
export async function outageOf(db: Connection, settings: SessionSettings): Promise<string | undefined> {
  const examine = sql`select current_setting('transaction_read_only') as read_only,
    (select string_agg(s.name, ', ') from ${lacking(settings)}) as lacking from pg_sleep(0.01)`
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS_EXAMINED }, () => db.get({ read_only: 'text', lacking: 'text?' }, examine)),
  )
  if (sessions.some((session) => session?.read_only === 'on')) return READ_ONLY
  const defaults = (await missingDefaults(db, settings)).map(([name]) => name).join(', ')
  const names = [defaults, ...sessions.map((session) => session?.lacking ?? '')].find((list) => list !== '')
  return names === undefined ? undefined : `sessions of the database lack settings: ${names}`
}
