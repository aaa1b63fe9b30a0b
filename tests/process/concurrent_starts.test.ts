import { expect, it } from 'vitest'
import { migrations } from '../../server/store/migrations/index.ts'
import { openDatabase } from '../../server/store/open.ts'
import { parseConfig } from '../../server/config.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases.ts'
import { runService, spawnService, until } from '../harness/process.ts'

const PROCESSES = 4

it('four processes that start at the same time on an empty database create one schema, and all serve', async () => {
  const database = await makeDatabase('none')
  const processes = await Promise.all(Array.from({ length: PROCESSES }, () => runService({ DATABASE_URL: database.url })))
  const store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  try {
    const steps = await store.read((db) => db.all({ name: 'text' }, 'select name from migrations order by number'))
    expect(steps.map(({ name }) => name)).toStrictEqual(migrations.map(({ name }) => name))
    expect(await store.read((db) => db.all({}, 'select name from workspaces'))).toHaveLength(1)
    // Each server adds a page at the top of the workspace, and sees the pages of all others.
    const pages = await Promise.all(processes.map(({ owner }) => makePage(owner)))
    for (const { owner } of processes) {
      for (const page of pages) expect((await owner.call('retrievePage', { path: { page_id: page } })).status).toBe(200)
    }
  } finally {
    for (const one of processes) one.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    await store.close()
    await database.drop()
  }
})

it('a process that waits while another one prepares the database reports this, and then starts', async () => {
  const database = await makeDatabase('none')
  const store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  const [begun, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const preparing = store.exclusively(async () => {
    begun.resolve()
    await done.promise
  })
  await begun.promise
  const waiting = spawnService({ DATABASE_URL: database.url, LOG_LEVEL: 'info' })
  try {
    const messages = (): string[] => waiting.log().map(({ msg }) => String(msg))
    await until(() => messages().find((line) => line.includes('another process is preparing the database')), waiting)
    expect(messages()).not.toContain('listening')
    done.resolve()
    await preparing
    await until(() => messages().find((line) => line === 'listening'), waiting)
  } finally {
    done.resolve()
    waiting.kill('SIGTERM')
    await waiting.ended
    await store.close()
    await database.drop()
  }
})
