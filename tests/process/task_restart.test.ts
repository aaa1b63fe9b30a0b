import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { story } from '../../server/bootstrap/story.ts'
import { insertTask } from '../../server/store/async_tasks.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases.ts'
import { idOf } from '../harness/json.ts'
import { readMarkdown } from '../harness/markdown.ts'
import { startTestServer } from '../harness/server.ts'

it('tasks survive the service: what was left queued or running is done by the next one, once', async () => {
  const database = await makeDatabase()
  const settings = { DATABASE_URL: database.url }
  try {
    const first = await startTestServer(settings)
    const page = await makePage(first.owner)
    const { now } = { now: first.clock.now() }
    const ids = ['0b9e3a52-7a6b-4d8c-9f0e-1a2b3c4d5e6f', '1b9e3a52-7a6b-4d8c-9f0e-1a2b3c4d5e6f']
    await first.stop()

    const second = await startTestServer(settings)
    for (const [index, id] of ids.entries()) {
      const request = JSON.stringify({ id: page, body: { type: 'insert_content', insert_content: { content: `line ${index}` } } })
      // Due later than the worker of this service looks, so that it leaves them.
      await second.service.database.write((db) =>
        insertTask(
          db,
          story.workspace.id,
          { id, actorId: story.bot.id, operation: 'PATCH /v1/pages/:page_id/markdown', version: newestRelease, request },
          now + 60_000 + index,
        ),
      )
    }
    await second.service.database.write((db) =>
      db.run(`update async_tasks set status = 'running', attempts = 1 where id = ?`, ids[1] ?? ''),
    )
    await second.stop()

    const third = await startTestServer(settings)
    third.clock.advance(120_000)
    for (const id of ids) {
      for (
        let times = 0;
        (await third.owner.call('retrieveAsyncTask', { path: { task_id: id } })).body['status'] !== 'succeeded';
        times += 1
      ) {
        expect(times).toBeLessThan(200)
        await pause(50)
      }
    }
    expect(await readMarkdown(third.owner, page)).toBe('line 0\nline 1')
    expect(idOf((await third.owner.call('retrieveMe')).body)).toBe(story.bot.id)
    await third.stop()
  } finally {
    await database.drop()
  }
})
