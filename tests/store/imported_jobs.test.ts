import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { ASYNC_TASK } from '../../server/domain/data/async_tasks/tasks.ts'
import type { Database } from '../../server/store/database.ts'
import { sql } from '../../server/store/sql.ts'
import { importWorldOfFile, queueTasks } from '../harness/import_world.ts'

const { id: WORKSPACE } = exampleWorkspace.workspace
/** One task whose job waits, and one whose job is ready. */
const tasks = [randomUUID(), randomUUID()] as const

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
const { server, importIt } = await importWorldOfFile(async (database, now) => {
  await queueTasks(database, tasks, now)
  await database.write((db) => db.run(sql`update jobs set state = 'ready' where job_key = ${tasks[1]}`))
  scheduled = await otherJobs(database)
  expect(scheduled).not.toEqual([])
})

it('queued tasks of an imported workspace start once the import is complete, and jobs that are not due keep their times', async () => {
  expect(await importIt(() => server.service.drainJobs())).toMatchObject({ unauthorizedTasks: 0 })
  const statuses = await server.service.database.read((db) =>
    db.all({ id: 'text', status: 'text', error: 'text?' }, sql`select id, status, error from async_tasks order by id`),
  )
  expect(statuses).toEqual(tasks.toSorted().map((id) => ({ id, status: 'succeeded', error: null })))
  expect(await otherJobs(server.service.database)).toEqual(scheduled)
})
