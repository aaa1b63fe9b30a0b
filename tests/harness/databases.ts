import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { administer, urlOf } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A folder for files of tests, deleted when the run ends. */
    scratchFolder: string
  }
}

/** The database engine of this run of the test file. */
export const engine: 'sqlite' | 'postgresql' = inject('postgres') === undefined ? 'sqlite' : 'postgresql'

export interface Register {
  (name: string, body: () => void | Promise<void>): void
  (name: string, options: { readonly timeout: number }, body: () => void | Promise<void>): void
}

/**
 * `describe` or `it` for tests of one engine; with the other, they are not registered. A file with only such tests is named
 * `….sqlite.test.ts` or `….postgresql.test.ts` instead.
 */
export function on(wanted: typeof engine, register: Register): Register {
  return engine === wanted ? register : () => undefined
}

/** Creates a folder for files of one test, deleted when the run ends. */
export function scratchFolder(prefix: string): string {
  return mkdtempSync(join(inject('scratchFolder'), prefix))
}

/** A database for one test, which several servers may share and which survives a restart. */
export interface TestDatabase {
  /** For `DATABASE_URL`. */
  readonly url: string
  drop(): Promise<void>
}

/**
 * Creates a database on the engine of this run.
 * @param content `none` has no tables; `newest` has empty tables; `example` is prepared as by a test server with default settings. On SQLite
 * all of them are without tables, because the server prepares those quickly.
 */
export async function makeDatabase(content: 'example' | 'newest' | 'none' = 'newest'): Promise<TestDatabase> {
  const postgres = inject('postgres')
  if (postgres === undefined) {
    const folder = mkdtempSync(join(inject('scratchFolder'), 'sqlite-'))
    return { url: `sqlite:${join(folder, 'workspace.db')}`, drop: async () => rmSync(folder, { recursive: true, force: true }) }
  }
  const { adminUrl, prefix, templates, strategy } = postgres
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  const model = content === 'none' ? 'template1' : templates[content]
  await administer(adminUrl, (admin) => admin.query(`create database ${name} template ${model} ${strategy}`))
  return {
    url: urlOf(adminUrl, name),
    drop: () =>
      administer(adminUrl, async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`)
      }),
  }
}

/** A database for all tests of a file, which is dropped after them: `const database = await databaseOfFile()` at the top of the file. */
export async function databaseOfFile(...parts: Parameters<typeof makeDatabase>): Promise<TestDatabase> {
  const made = await makeDatabase(...parts)
  afterAll(() => made.drop())
  return made
}

/** The fastest database for a single server: in memory, if the engine can. */
export async function makePassingDatabase(content: 'example' | 'newest' = 'newest'): Promise<TestDatabase> {
  return engine === 'sqlite' ? { url: 'sqlite::memory:', drop: async () => undefined } : makeDatabase(content)
}
