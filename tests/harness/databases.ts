import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { administer, urlOf } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder for files of tests; goes when the run ends. */
    scratchFolder: string
  }
}

/** The engine that this run of the test file is about. */
export const engine: 'sqlite' | 'postgresql' = inject('postgres') === undefined ? 'sqlite' : 'postgresql'

interface Register {
  (name: string, body: () => void | Promise<void>): void
  (name: string, options: { readonly timeout: number }, body: () => void | Promise<void>): void
}

/**
 * `describe` or `it` for what means something on one engine only: on the other, the test does not exist. A file of which nothing would
 * be left is called `….sqlite.test.ts` or `….postgresql.test.ts` instead.
 */
export function on(wanted: typeof engine, register: Register): Register {
  return engine === wanted ? register : () => undefined
}

/** A folder for files of one test; goes when the run ends. */
export function scratchFolder(prefix: string): string {
  return mkdtempSync(join(inject('scratchFolder'), prefix))
}

/** A database that nobody else uses, and that several servers may share or find again after a restart. */
export interface TestDatabase {
  /** What `DATABASE_URL` takes. */
  readonly url: string
  drop(): Promise<void>
}

/**
 * Makes a database on the engine of this run.
 * @param content `none` has nothing, `newest` the empty tables; `story` is as a test server with default settings has prepared it (only
 * PostgreSQL, where that takes long: on SQLite it is empty, and the server prepares it)
 */
export async function makeDatabase(content: 'story' | 'newest' | 'none' = 'newest'): Promise<TestDatabase> {
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

/** The quickest database for one server alone: in memory where the engine can. */
export async function makePassingDatabase(content: 'story' | 'newest' = 'newest'): Promise<TestDatabase> {
  return engine === 'sqlite' ? { url: 'sqlite::memory:', drop: async () => undefined } : makeDatabase(content)
}
