import type { Command } from 'commander'
import { onlySettings, withOverrides, type Environment } from '@workspace-service/server/config/environment.ts'
import { parseSettings, settings, type Settings } from '@workspace-service/server/config/settings.ts'
import { recordCommand } from '@workspace-service/server/domain/administration/index.ts'
import { databaseExists } from '@workspace-service/server/store/backup.ts'
import type { Connection, Database, Transaction } from '@workspace-service/server/store/database.ts'
import { schemaState } from '@workspace-service/server/store/migrations.ts'
import { openDatabase } from '@workspace-service/server/store/open.ts'
import type { DatabaseAddress } from '@workspace-service/server/kernel/addresses.ts'
import { listWorkspaces } from '@workspace-service/server/store/workspaces.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { idIn } from '@workspace-service/server/kernel/ids.ts'
import { chooseByName } from './names.ts'
import { Output, textTable, type JsonResult } from './output.ts'

interface GlobalOptions {
  readonly json?: true
  readonly database?: string
}

/** What a command changes, for the audit log. */
export interface Changed {
  /** Null if it concerns the deployment, and not one workspace. */
  readonly workspaceId: string | null
  /** By default, the group of the command, such as `user`. */
  readonly type?: string
  readonly id?: string | null
  readonly name?: string | null
}

/** Names what a command has changed, given its result. */
type Naming<T, About> = (result: T) => About | readonly About[]

/** The context of every command: its output, and access to the service's data, even while the service is running. */
export class CommandContext {
  readonly output: Output
  readonly environment: Environment
  /** Whether the database was given as an option. */
  readonly hasOwnDatabase: boolean
  /** The words of the command, such as `user create`. */
  readonly #words: string

  /** @param command with the options that all commands share */
  constructor(command: Command) {
    const { json, database } = command.optsWithGlobals<GlobalOptions>()
    this.output = new Output(json ?? false)
    this.hasOwnDatabase = database !== undefined
    this.#words = wordsOf(command)
    this.environment = withOverrides(process.env, { DATABASE_URL: database })
  }

  /** Prints the result of the command. @param lines the result as text */
  result(value: JsonResult, lines: () => readonly string[]): void {
    this.output.result(value, lines)
  }

  /**
   * Prints a list: as JSON, or as a table.
   * @param empty the line for an empty list
   */
  list<Row>(
    rows: readonly Row[],
    json: (row: Row) => JsonResult,
    empty: string,
    headings: readonly string[],
    cells: (row: Row) => readonly string[],
  ): void {
    this.output.result({ results: rows.map(json) }, () => textTable(headings, rows.map(cells), empty))
  }

  /** Reads in one transaction. */
  read<T>(work: (db: Connection) => Promise<T>): Promise<T> {
    return this.withDatabase(async (database) => database.read(work))
  }

  /** Reads and writes in one transaction, and records the command. */
  write<T>(work: (db: Transaction) => Promise<T>, naming: Naming<T, Changed>): Promise<T> {
    return this.withDatabase((database) =>
      database.write(async (db) => {
        const result = await work(db)
        await this.record(db, ...[naming(result)].flat())
        return result
      }),
    )
  }

  /** Records in the audit log what the command changes. Call it in the transaction that makes the change, unless `write` does so. */
  async record(db: Transaction, ...changed: readonly Changed[]): Promise<void> {
    const [group = ''] = this.#words.split(' ')
    for (const { workspaceId, type = group, ...named } of changed)
      await recordCommand(db, { workspaceId, action: this.#words, object: { type, ...named } }, Date.now())
  }

  /** Like `read`, in the given workspace or in the only one. */
  readIn<T>(workspace: string | undefined, work: (db: Connection, workspaceId: string) => Promise<T>): Promise<T> {
    return this.read(async (db) => work(db, await workspaceOf(db, workspace)))
  }

  /** Like `write`, in the given workspace or in the only one. */
  async writeIn<T>(
    workspace: string | undefined,
    work: (db: Transaction, workspaceId: string) => Promise<T>,
    naming: Naming<T, Omit<Changed, 'workspaceId'>>,
  ): Promise<T> {
    const { result } = await this.write(
      async (db) => {
        const workspaceId = await workspaceOf(db, workspace)
        return { workspaceId, result: await work(db, workspaceId) }
      },
      (done) => [naming(done.result)].flat().map((one) => ({ ...one, workspaceId: done.workspaceId })),
    )
    return result
  }

  /** Runs work on the service's database, which must have the schema of this release. */
  async withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openExisting(this)
    try {
      const { pending, refusal } = await schemaState(database)
      if (refusal !== undefined) throw new CommandError(refusal)
      if (pending.length > 0)
        throw new CommandError(`The database needs these migrations: ${pending.join(', ')}. Run: workspace-service migrate`)
      return await work(database)
    } finally {
      await database.close()
    }
  }
}

function wordsOf(command: Command): string {
  const { parent } = command
  return parent ? `${wordsOf(parent)} ${command.name()}`.trim() : ''
}

/**
 * The settings for the locations of the service and its data. Other settings are not checked.
 * @throws CommandError naming the setting
 */
export function addressSettings({
  environment,
}: CommandContext): Pick<Settings, 'DATABASE_URL' | 'FILES_URL' | 'BASE_URL' | 'HOST' | 'PORT' | 'TLS_CERT'> {
  const problems: string[] = []
  const { DATABASE_URL, FILES_URL, BASE_URL, HOST, PORT, TLS_CERT } = settings
  const names = Object.keys({ DATABASE_URL, FILES_URL, BASE_URL, HOST, PORT, TLS_CERT })
  const values = parseSettings(onlySettings(environment, names), problems)
  if (problems.length > 0) throw usageError(problems.join('\n'))
  return values
}

/** Whether the service, with the settings of the environment, serves the console. */
export function hasConsole({ environment }: CommandContext): boolean {
  return parseSettings(onlySettings(environment, ['CONSOLE']), []).CONSOLE
}

export function describeAddress(address: DatabaseAddress): string {
  if (address.engine === 'sqlite') return address.path
  const { host, pathname } = new URL(address.url)
  return `${host}${pathname}`
}

/** Opens the database of the service, without creating or changing it. */
export async function openExisting(context: CommandContext): Promise<Database> {
  const address = addressSettings(context).DATABASE_URL
  if (address.engine === 'sqlite' && address.path === ':memory:') {
    throw usageError(
      'A database in memory exists only inside the running service. Set DATABASE_URL, or --database, to a file or a PostgreSQL server.',
    )
  }
  if (address.engine === 'sqlite' && !databaseExists(address.path)) {
    throw new CommandError(
      `The database ${address.path} does not exist yet. Start the service once, or run: workspace-service migrate`,
    )
  }
  return openDatabase(address)
}

const WORKSPACE = { one: 'workspace', many: 'workspaces', list: 'workspace list' }

/**
 * The workspace of a command: the one given by id or name, or the only one.
 * @throws CommandError when there is none, or more than one to choose from
 */
export async function workspaceOf(db: Connection, wanted: string | undefined): Promise<string> {
  const workspaces = await listWorkspaces(db)
  if (wanted !== undefined) {
    const id = idIn(wanted) ?? chooseByName(wanted, workspaces, WORKSPACE).id
    if (workspaces.some((workspace) => workspace.id === id)) return id
    throw new CommandError(`No workspace has the id ${wanted}. List workspaces with: workspace-service workspace list`)
  }
  const [only, ...others] = workspaces
  if (!only)
    throw new CommandError('The database contains no workspace yet. Create one with: workspace-service workspace create <name>')
  if (others.length === 0) return only.id
  throw usageError(
    `The database contains ${workspaces.length} workspaces. Choose one with --workspace: ${workspaces.map(({ id, name }) => `${id} (${name ?? 'no name'})`).join(', ')}`,
  )
}

/**
 * An id in any spelling.
 * @param kind the kind of record with its article, such as `a job`
 * @param list the command that lists ids
 * @throws CommandError for anything else
 */
export function parseId(text: string, kind: string, list?: string): string {
  const id = idIn(text)
  if (id === undefined)
    throw usageError(
      `"${text}" is not the id of ${kind}: it should be 32 hexadecimal digits, with or without dashes.${list === undefined ? '' : ` List them with: workspace-service ${list}`}`,
    )
  return id
}
