import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { ServiceError } from '../../server/kernel/errors.ts'
import { append, appendOne, block, children, makePage, paragraph, plainTexts, text } from '../harness/content.ts'
import { databaseOfFile, on } from '../harness/databases.ts'
import { at, idOf, resultsOf } from '../harness/json.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Two servers on one database, writing concurrently: the result is that of some serial order of the requests. */

const database = await databaseOfFile()
let servers: [TestServer, TestServer]
beforeAll(async () => {
  const settings = { DATABASE_URL: database.url }
  servers = [await startTestServer(settings), await startTestServer(settings)]
})
afterAll(() => Promise.all(servers.map((server) => server.stop())))

const either = (index: number): TestServer => servers[index % 2 === 0 ? 0 : 1]

describe('simultaneous writes', () => {
  it('200 for concurrent appends below one parent, which all arrive, each contiguous', async () => {
    const page = await makePage(servers[0].owner)
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        append(
          either(index).owner,
          page,
          [0, 1, 2].map((part) => paragraph(`${index}.${part}`)),
        ),
      ),
    )
    const found = plainTexts(await children(servers[1].owner, page))
    expect(found).toHaveLength(120)
    const pieces = Array.from({ length: 40 }, (_, location) => found.slice(location * 3, location * 3 + 3))
    for (const piece of pieces) expect(piece).toStrictEqual([0, 1, 2].map((part) => `${piece[0]?.split('.')[0]}.${part}`))
    expect(new Set(found).size).toBe(120)
  })

  it('200 for insertions after one block and at both ends, which never share a rank', async () => {
    const page = await makePage(servers[0].owner, 'Berths', undefined, [paragraph('middle')])
    const [middle] = await children(servers[0].owner, page)
    const positions = [{ type: 'start' }, { type: 'end' }, { type: 'after_block', after_block: { id: idOf(middle) } }]
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        append(either(index).owner, page, [paragraph(String(positions[index % 3]?.type))], { position: positions[index % 3] }),
      ),
    )
    const found = plainTexts(await children(servers[0].owner, page))
    const repeated = (word: string): string[] => Array.from({ length: 10 }, () => word)
    expect(found).toStrictEqual([...repeated('start'), 'middle', ...repeated('after_block'), ...repeated('end')])
  })

  it('200 for pages created at the top of the workspace, none of which is lost', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => makePage(either(index).owner, `Top ${index}`)))
    for (const id of ids) expect((await servers[1].owner.call('retrievePage', { path: { page_id: id } })).status).toBe(200)
    expect(new Set(ids).size).toBe(20)
  })

  it('200 for concurrent changes of two fields of one block, which are both kept', async () => {
    const page = await makePage(servers[0].owner)
    for (let round = 0; round < 10; round += 1) {
      const id = await appendOne(servers[0].owner, page, block('to_do', 'before'))
      const bodies = [{ to_do: { checked: true } }, { to_do: { color: 'red' } }, { to_do: { rich_text: [text('after')] } }]
      const responses = await Promise.all(
        bodies.map((body, index) => either(index).owner.call('updateBlock', { path: { block_id: id }, body })),
      )
      expect(responses.map(({ status }) => status)).toStrictEqual([200, 200, 200])
      const { body } = await servers[1].owner.call('retrieveBlock', { path: { block_id: id } })
      expect(body).toMatchObject({ to_do: { checked: true, color: 'red', rich_text: [{ plain_text: 'after' }] } })
    }
  })

  it('200 for one of two deletions, and 400 for the other', async () => {
    const page = await makePage(servers[0].owner)
    for (let round = 0; round < 10; round += 1) {
      const id = await appendOne(servers[0].owner, page, paragraph('twice'))
      const responses = await Promise.all(servers.map(({ owner }) => owner.call('deleteBlock', { path: { block_id: id } })))
      expect(responses.map(({ status }) => status).sort()).toStrictEqual([200, 400])
    }
  })

  it('200 for an append before the deletion of its parent, and 400 after it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const page = await makePage(servers[0].owner)
      const parent = await appendOne(servers[0].owner, page, block('toggle', 'parent'))
      const [appended, deleted] = await Promise.all([
        servers[0].owner.call('appendBlockChildren', { path: { block_id: parent }, body: { children: [paragraph('child')] } }),
        servers[1].owner.call('deleteBlock', { path: { block_id: parent } }),
      ])
      expect(deleted.status).toBe(200)
      const below = resultsOf((await servers[0].owner.call('listBlockChildren', { path: { block_id: parent } })).body)
      // Acknowledged changes are stored; a child that came too late was refused.
      expect([appended.status, below.length, at(deleted.body, 'has_children')]).toStrictEqual(
        appended.status === 200 ? [200, 1, true] : [400, 0, false],
      )
    }
  })
})

describe('conflicting transactions', () => {
  const name = (): string => `meeting ${randomUUID()}`

  it('conflict_error for a record that another transaction creates first', async () => {
    const id = randomUUID()
    const insert = (server: TestServer): Promise<void> =>
      server.service.database.write((db) =>
        db.run(
          'insert into custom_emojis (workspace_id, id, name, url, created_time) values (?, ?, ?, ?, ?)',
          exampleWorkspace.workspace.id,
          id,
          id,
          'https://example.org/a.png',
          1,
        ),
      )
    const outcomes = await Promise.allSettled([insert(servers[0]), insert(servers[1])])
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(failures).toHaveLength(1)
    expect(failures[0]).toBeInstanceOf(ServiceError)
    expect(failures[0]).toMatchObject({ code: 'conflict_error', status: 409 })
    expect(String(failures[0])).not.toMatch(/emoji|constraint|duplicate|unique/i)
  })

  it('conflict_error for a record whose reference is gone', async () => {
    const orphan = servers[0].service.database.write((db) =>
      db.run('insert into pages (workspace_id, id) values (?, ?)', exampleWorkspace.workspace.id, randomUUID()),
    )
    await expect(orphan).rejects.toMatchObject({ code: 'conflict_error' })
  })

  on('postgresql', it)('a deadlock is retried until both succeed', async () => {
    const [first, second] = [name(), name()]
    const { database: store } = servers[0].service
    await store.write(async (db) => {
      for (const row of [first, second]) await db.run('insert into instance (name, value) values (?, ?)', row, '')
    })
    let runs = 0
    let holding = 0
    const met = Promise.withResolvers<void>()
    const cross = (server: TestServer, mark: string, rows: readonly string[]): Promise<void> =>
      server.service.database.write(async (db) => {
        runs += 1
        for (const row of rows) {
          await db.change('update instance set value = value || ? where name = ?', mark, row)
          holding += 1
          if (holding === 2) met.resolve()
          await met.promise
        }
      })
    await Promise.all([cross(servers[0], 'a', [first, second]), cross(servers[1], 'b', [second, first])])
    expect(runs).toBeGreaterThan(2)
    const rows = await store.read((db) =>
      db.all({ value: 'text' }, 'select value from instance where name in (?, ?)', first, second),
    )
    for (const { value } of rows) expect([...value].sort().join('')).toBe('ab')
  })
})
