import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import type { Database } from '../../server/store/database.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { prepareExampleWorkspace } from './example_workspace.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL server for the tests of this run; absent when they run on SQLite. */
    postgres: PostgresForTests
  }
}

export interface PostgresForTests {
  /** The database to connect to for creating others. */
  readonly adminUrl: string
  /** The prefix of the names of this run's databases. */
  readonly prefix: string
  /** Template databases: one with empty tables, and one that the service has prepared with the sample content. */
  readonly templates: { readonly newest: string; readonly example: string }
  /** The end of the statement that creates a database. Copying files takes a tenth of the time of writing each page to the log. */
  readonly strategy: '' | 'strategy file_copy'
}

/** Provides the tests of a project with a PostgreSQL server: that of `TEST_DATABASE_URL`, or a new one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env['TEST_DATABASE_URL']
    ? { url: process.env['TEST_DATABASE_URL'], stop: async () => undefined }
    : await startServer()
  try {
    const prefix = `workspace_test_${process.pid}_${Date.now().toString(36)}`
    const templates = { newest: `${prefix}_template`, example: `${prefix}_example` }
    await makeTemplate(server.url, templates.newest, migrate)
    await makeTemplate(server.url, templates.example, prepareExampleWorkspace)
    project.provide('postgres', { adminUrl: server.url, prefix, templates, strategy: await copyStrategy(server.url) })
    return async () => dropAll(server.url, prefix).finally(server.stop)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function makeTemplate(adminUrl: string, name: string, fill: (database: Database) => Promise<unknown>): Promise<void> {
  await administer(adminUrl, (admin) => admin.query(`create database ${name}`))
  const database = openDatabase({ engine: 'postgresql', url: urlOf(adminUrl, name) })
  await fill(database).finally(() => database.close())
}

/** The option that copies files. Servers older than version 15 do not know it, and always copy files. */
async function copyStrategy(adminUrl: string): Promise<PostgresForTests['strategy']> {
  const { rows } = await administer(adminUrl, (admin) => admin.query<{ version: number }>(VERSION))
  return (rows[0]?.version ?? 0) >= 150_000 ? 'strategy file_copy' : ''
}

const VERSION = "select current_setting('server_version_num')::integer as version"

const START_TIMEOUT_MS = 60_000

/**
 * Starts `postgres_process.ts`, which cleans up even if this process is killed.
 * @param settings of the server, as `name=value`
 */
export async function startServer(...settings: readonly string[]): Promise<{ url: string; stop: () => Promise<undefined> }> {
  const program = fileURLToPath(new URL('./postgres_process.ts', import.meta.url))
  const owner = spawn(process.execPath, [program, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const exited = new Promise<undefined>((resolve) => owner.once('exit', () => resolve(undefined)))
  const stop = async (): Promise<undefined> => {
    owner.stdin.end()
    return exited
  }
  const printed = new Promise<string>((resolve) => owner.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())))
  const timeout = setTimeout(stop, START_TIMEOUT_MS)
  const url = await Promise.race([printed, exited])
  clearTimeout(timeout)
  if (url !== undefined) return { url, stop }
  throw new Error('PostgreSQL did not start.')
}

async function dropAll(adminUrl: string, prefix: string): Promise<void> {
  await administer(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [
      prefix,
    ])
    for (const { datname } of rows) await admin.query(`drop database if exists ${datname} with (force)`)
  })
}

/** Runs statements on the server's own database. */
export async function administer<T>(adminUrl: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

/** The address of another database of the same server. */
export function urlOf(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
