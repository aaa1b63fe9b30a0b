import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { story } from '../../server/bootstrap/story.ts'
import { outerRules } from '../../server/cli/outer_rules.ts'
import { parseConfig } from '../../server/config.ts'
import { ASYNC_TASK, operationName } from '../../server/domain/async_tasks/tasks.ts'
import { enqueue } from '../../server/domain/jobs/queue.ts'
import { exportWorkspace } from '../../server/domain/workspace_archive/export_workspace.ts'
import { importWorkspace } from '../../server/domain/workspace_archive/import_workspace.ts'
import { insertTask } from '../../server/store/async_tasks.ts'
import type { Database } from '../../server/store/database.ts'
import { openFiles } from '../../server/store/files/open.ts'
import type { FileStorage } from '../../server/store/files/storage.ts'
import { openDatabase } from '../../server/store/open.ts'
import { sql } from '../../server/store/sql.ts'
import { makeDatabase, scratchFolder } from '../harness/databases.ts'
import { startTestServer, TestClock, type TestServer } from '../harness/server.ts'

const { id: WORKSPACE } = story.workspace
const folder = scratchFolder('imported-')
const exported = join(folder, 'exported')
const settings = { FILES_URL: `file:${join(folder, 'files')}` }
/** One task whose job waits, and one whose job is ready. */
const tasks = [randomUUID(), randomUUID()] as const
const [source, target] = [await makeDatabase('newest'), await makeDatabase('newest')]
const options = { rules: await outerRules(), now: new TestClock().now(), withCredentials: true }
let storage: FileStorage
let server: TestServer

async function within<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
  return work(database).finally(() => database.close())
}

/** Queues tasks that create pages, which no process runs. */
async function queueTasks(database: Database): Promise<void> {
  const body = { parent: { page_id: story.pages.handbook }, markdown: '# Queued' }
  const task = { actorId: story.bot.id, operation: operationName('createPage'), version: newestRelease }
  await database.write(async (db) => {
    for (const id of tasks) {
      await insertTask(db, WORKSPACE, { ...task, id, request: JSON.stringify({ body }) }, options.now)
      await enqueue(db, { kind: ASYNC_TASK, workspaceId: WORKSPACE, key: id, payload: { id }, dueTime: options.now })
    }
    await db.run(sql`update jobs set state = 'ready' where job_key = ${tasks[1]}`)
  })
}

/** The jobs of the workspace that are not due yet. */
async function otherJobs(database: Database): Promise<unknown[]> {
  return database.read((db) =>
    db.all(
      { id: 'text', kind: 'text', state: 'text', due_time: 'integer' },
      sql`select id, kind, state, due_time from jobs where workspace_id = ${WORKSPACE} and kind <> ${ASYNC_TASK} order by id`,
    ),
  )
}

let scheduled: unknown[] = []

beforeAll(async () => {
  storage = await openFiles({ kind: 'folder', path: join(folder, 'files') })
  await (await startTestServer({ ...settings, DATABASE_URL: source.url })).stop()
  await within(source.url, async (database) => {
    await queueTasks(database)
    scheduled = await otherJobs(database)
    expect(scheduled).not.toEqual([])
    await exportWorkspace({ database, storage }, WORKSPACE, exported, options.now)
  })
  server = await startTestServer({ ...settings, DATABASE_URL: target.url, BOOTSTRAP_SAMPLE: 'false', BOOTSTRAP_TOKEN: '' })
})
afterAll(async () => {
  await server.stop()
  await storage.close()
  for (const made of [source, target]) await made.drop()
})

/** A database after each of whose writes a running service does all that is due. */
function servedMeanwhile(database: Database): Database {
  return {
    ...database,
    write: async (...parts) => {
      const result = await database.write(...parts)
      await server.service.drainJobs()
      return result
    },
  }
}

it('queued tasks of an imported workspace start once the import is complete, and jobs that are not due keep their times', async () => {
  await within(target.url, async (database) =>
    importWorkspace({ database: servedMeanwhile(database), storage }, exported, options, () => undefined),
  )
  const statuses = await server.service.database.read((db) =>
    db.all({ id: 'text', status: 'text', error: 'text?' }, sql`select id, status, error from async_tasks order by id`),
  )
  expect(statuses).toEqual(tasks.toSorted().map((id) => ({ id, status: 'succeeded', error: null })))
  expect(await otherJobs(server.service.database)).toEqual(scheduled)
})
