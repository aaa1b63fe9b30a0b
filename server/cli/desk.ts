import type { Command } from 'commander'
import { parseSettings, settings, type Environment, type Settings } from '../config/settings.ts'
import { canonicalId } from '../kernel/ids.ts'
import { databaseExists } from '../store/backup.ts'
import type { Connection, Database, Transaction } from '../store/database.ts'
import { schemaState } from '../store/migrations.ts'
import { openDatabase } from '../store/open.ts'
import type { DatabaseAddress } from '../kernel/addresses.ts'
import { listWorkspaces } from '../store/workspaces.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { Output } from './output.ts'

interface GlobalOptions {
  readonly json?: true
  readonly database?: string
}

/** What every command needs. */
export interface Desk {
  readonly output: Output
  readonly environment: Environment
}

/** The desk of a command, from the options that all commands share. */
export function deskOf(command: Command): Desk {
  const { json, database } = command.optsWithGlobals<GlobalOptions>()
  return {
    output: new Output(json ?? false),
    environment: database === undefined ? process.env : { ...process.env, DATABASE_URL: database },
  }
}

/**
 * The settings that say where the service and its data are. Other settings may be invalid here, and it does not matter.
 * @throws CommandError naming the setting
 */
export function placeOf({ environment }: Desk): Pick<Settings, 'DATABASE_URL' | 'BASE_URL' | 'HOST' | 'PORT' | 'TLS_CERT'> {
  const problems: string[] = []
  const { DATABASE_URL, BASE_URL, HOST, PORT, TLS_CERT } = settings
  const names = Object.keys({ DATABASE_URL, BASE_URL, HOST, PORT, TLS_CERT })
  const values = parseSettings(Object.fromEntries(names.map((name) => [name, environment[name]])), problems)
  if (problems.length > 0) throw usageError(problems.join('\n'))
  return values
}

export function describeAddress(address: DatabaseAddress): string {
  if (address.engine === 'sqlite') return address.path
  const { host, pathname } = new URL(address.url)
  return `${host}${pathname}`
}

/** Opens the database of the service; neither creates nor changes anything. */
export async function openPresent(desk: Desk): Promise<Database> {
  const address = placeOf(desk).DATABASE_URL
  if (address.engine === 'sqlite' && address.path === ':memory:') {
    throw usageError(
      'A database in memory exists only inside the running service. Set DATABASE_URL, or --database, to a file or a PostgreSQL server.',
    )
  }
  if (address.engine === 'sqlite' && !databaseExists(address.path)) {
    throw new CommandError(
      `There is no database at ${address.path} yet. Start the service once, or run: workspace-service migrate`,
    )
  }
  return openDatabase(address)
}

/** Runs work on the service's database, which must have the schema of this release. The service may be running. */
export async function withDatabase<T>(desk: Desk, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openPresent(desk)
  try {
    const { pending, refusal } = await schemaState(database)
    if (refusal !== undefined) throw new CommandError(refusal)
    if (pending.length > 0)
      throw new CommandError(`The database lacks schema steps: ${pending.join(', ')}. Run: workspace-service migrate`)
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Reads in one transaction. */
export function readDatabase<T>(desk: Desk, work: (db: Connection) => Promise<T>): Promise<T> {
  return withDatabase(desk, (database) => database.read(work))
}

/** Reads and writes in one transaction. */
export function writeDatabase<T>(desk: Desk, work: (db: Transaction) => Promise<T>): Promise<T> {
  return withDatabase(desk, (database) => database.write(work))
}

/**
 * The workspace of a command: the one given, or the only one.
 * @throws CommandError when there is none, or more than one to choose from
 */
export async function workspaceOf(db: Connection, wanted: string | undefined): Promise<string> {
  const workspaces = await listWorkspaces(db)
  if (wanted !== undefined) {
    const id = parseId(wanted)
    if (workspaces.some((workspace) => workspace.id === id)) return id
    throw new CommandError(`There is no workspace ${wanted}. List them with: workspace-service workspace list`)
  }
  const [only, ...others] = workspaces
  if (!only) throw new CommandError('There is no workspace yet. Make one with: workspace-service workspace create <name>')
  if (others.length === 0) return only.id
  throw usageError(
    `There are ${workspaces.length} workspaces. Choose one with --workspace: ${workspaces.map(({ id, name }) => `${id} (${name ?? 'no name'})`).join(', ')}`,
  )
}

/** An id in any spelling. @throws CommandError for anything else */
export function parseId(text: string): string {
  try {
    return canonicalId(text)
  } catch {
    throw usageError(`"${text}" is not an id; ids are 32 hexadecimal digits, with or without dashes.`)
  }
}
