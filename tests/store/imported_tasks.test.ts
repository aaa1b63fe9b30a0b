import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { importWorldOfFile, queueTasks } from '../harness/import_world.ts'
import { at } from '../harness/json.ts'

const tasks = [randomUUID(), randomUUID()]
const { server, exported, settings } = await importWorldOfFile((database, now) => queueTasks(database, tasks, now))
const cli = new InProcessCommandLine(settings.DATABASE_URL, settings)

/** The outcomes of the tasks: their statuses, and the codes of their errors. */
async function endings(): Promise<string[]> {
  await server.service.drainJobs()
  const rows = await server.service.database.read((db) =>
    db.all({ status: 'text', error: 'text?' }, 'select status, error from async_tasks'),
  )
  return rows.map(
    ({ status, error }) => `${status} ${error === null ? '' : String(at(JSON.parse(error) as { code: string }, 'code'))}`,
  )
}

it('workspace import reports that queued tasks fail without the tokens of their creators, and these tasks fail', async () => {
  const { output } = await cli.run(['workspace', 'import', exported])
  expect(output).toContain(
    '2 queued tasks fail with "unauthorized": the tokens of the bots and people who started them are not imported without --with-credentials.',
  )
  expect(await endings()).toStrictEqual(['failed unauthorized', 'failed unauthorized'])
})

it('workspace import --with-credentials runs queued tasks with the rights of their tokens', async () => {
  await cli.json('workspace', 'delete', exampleWorkspace.workspace.id, '--yes')
  expect(await cli.json('workspace', 'import', exported, '--with-credentials')).toMatchObject({ unauthorized_tasks: 0 })
  expect(await endings()).toStrictEqual(['succeeded ', 'succeeded '])
})
