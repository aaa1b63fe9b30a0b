import { join } from 'node:path'
import { afterAll } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { outerRules } from '../../cli/src/outer_rules.ts'
import { parseConfig } from '../../server/config.ts'
import { ASYNC_TASK, operationName } from '../../server/domain/data/async_tasks/tasks.ts'
import { enqueue } from '../../server/domain/shared/jobs/queue.ts'
import { exportWorkspace } from '../../server/domain/workspace_archive/export_workspace.ts'
import { importWorkspace } from '../../server/domain/workspace_archive/import_workspace.ts'
import { insertTask } from '../../server/store/async_tasks.ts'
import type { Database } from '../../server/store/database.ts'
import { openFiles } from '../../server/store/files/open.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makeDatabase, scratchFolder } from './databases.ts'
import { startTestServer, TestClock, type TestServer } from './server.ts'

/** A service whose database lacks the sample workspace, and an export of that. */
export interface ImportWorld {
  readonly server: TestServer
  /** The folder of the export. */
  readonly exported: string
  /** The settings of the service, for commands. */
  readonly settings: { readonly DATABASE_URL: string; readonly FILES_URL: string }
  /** The time of the export and the import. */
  readonly now: number
  /**
   * Imports the export while the service runs.
   * @param meanwhile called after each write of the import
   */
  importIt(meanwhile: (database: Database) => Promise<void>): ReturnType<typeof importWorkspace>
}

/** An import world for all tests of a file. @param prepare changes the sample workspace before it is exported, while no service runs */
export async function importWorldOfFile(prepare: (database: Database, now: number) => Promise<void>): Promise<ImportWorld> {
  const folder = scratchFolder('imported-')
  const exported = join(folder, 'exported')
  const settings = { FILES_URL: `file:${join(folder, 'files')}` }
  const [source, target] = [await makeDatabase('newest'), await makeDatabase('newest')]
  const storage = await openFiles({ kind: 'folder', path: join(folder, 'files') })
  const now = new TestClock().now()
  await (await startTestServer({ ...settings, DATABASE_URL: source.url })).stop()
  await within(source.url, async (database) => {
    await prepare(database, now)
    await exportWorkspace({ database, storage }, exampleWorkspace.workspace.id, exported, now)
  })
  const server = await startTestServer({ ...settings, DATABASE_URL: target.url, BOOTSTRAP_SAMPLE: 'false', BOOTSTRAP_TOKEN: '' })
  afterAll(async () => {
    await server.stop()
    await storage.close()
    for (const made of [source, target]) await made.drop()
  })
  return {
    server,
    exported,
    settings: { ...settings, DATABASE_URL: target.url },
    now,
    importIt: (meanwhile) =>
      within(target.url, async (database) => {
        const options = { rules: await outerRules(), now, withCredentials: true }
        return importWorkspace({ database: watched(database, meanwhile), storage }, exported, options, () => undefined)
      }),
  }
}

/** Queues tasks that create pages, which no process runs. */
export async function queueTasks(database: Database, ids: readonly string[], now: number): Promise<void> {
  const body = { parent: { page_id: exampleWorkspace.pages.handbook }, markdown: '# Queued' }
  const task = { actorId: exampleWorkspace.bot.id, operation: operationName('createPage'), version: newestRelease }
  await database.write(async (db) => {
    for (const id of ids) {
      await insertTask(db, exampleWorkspace.workspace.id, { ...task, id, request: JSON.stringify({ body }) }, now)
      await enqueue(db, { kind: ASYNC_TASK, workspaceId: exampleWorkspace.workspace.id, key: id, payload: { id }, dueTime: now })
    }
  })
}

async function within<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
  return work(database).finally(() => database.close())
}

function watched(database: Database, onWritten: (database: Database) => Promise<void>): Database {
  return {
    ...database,
    write: async (...parts) => {
      const result = await database.write(...parts)
      await onWritten(database)
      return result
    },
  }
}
