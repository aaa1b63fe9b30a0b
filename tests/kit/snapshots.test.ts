import { afterAll, expect, it } from 'vitest'
import { createTestServer } from '../../testkit/src/index.ts'
import { scratchFolder } from '../harness/databases.ts'
import { call, makePage } from './support/responses.ts'

const server = await createTestServer({ port: 'none', seed: 'snapshots', time: '2026-05-16T04:30:00.000Z' })
afterAll(() => server.close())
const { workspace } = server
const statusOf = async (id: string): Promise<number> => (await call(workspace, 'retrievePage', { path: { page_id: id } })).status

it('snapshots restore a state repeatedly and in any order', async () => {
  const first = await makePage(workspace)
  await server.snapshot('one page')
  const second = await makePage(workspace)
  await server.snapshot('two pages')
  for (const name of ['one page', 'two pages', 'one page', 'one page']) {
    await server.restore(name)
    expect([await statusOf(first), await statusOf(second)], name).toEqual([200, name === 'two pages' ? 200 : 404])
    await call(workspace, 'updatePage', { path: { page_id: first }, body: { in_trash: true } })
  }
})

it('snapshots restore the time and the ids', async () => {
  await server.snapshot('morning')
  const before = await makePage(workspace)
  await server.clock.advance({ hours: 6 })
  await server.restore('morning')
  expect(server.clock.now().toISOString()).toBe('2026-05-16T04:30:00.000Z')
  expect(await makePage(workspace)).toBe(before)
})

it('snapshots restore workspaces with their tokens', async () => {
  const other = await server.createWorkspace()
  await server.snapshot('with another')
  await server.restore('morning')
  expect((await call(other, 'retrieveMe')).status).toBe(401)
  await server.restore('with another')
  expect((await call(other, 'retrieveMe')).status).toBe(200)
})

it('snapshots restore the title index and the constraints of the engine', async () => {
  await call(workspace, 'createPage', { body: { properties: { title: [{ text: { content: 'Spring tide' } }] } } })
  await server.snapshot('titled')
  await server.restore('titled')
  const { body } = await call(workspace, 'search', { body: { query: 'spring' } })
  expect(body['results']).toHaveLength(1)
  expect((await call(workspace, 'createPage', { body: { parent: { page_id: workspace.id }, markdown: 'x' } })).status).toBe(404)
})

it('a snapshot replaces an earlier one of the same name, and restoring an unknown name fails', async () => {
  await server.snapshot('same')
  const page = await makePage(workspace)
  await server.snapshot('same')
  await server.restore('same')
  expect(await statusOf(page)).toBe(200)
  await expect(server.restore('mourning')).rejects.toThrow(/^No snapshot is named "mourning", only "one page", .*"same"\.$/)
})

it('snapshots require a database in memory', async () => {
  const settings = { DATABASE_URL: `sqlite:${scratchFolder('kit-')}/workspace.db` }
  await using lasting = await createTestServer({ port: 'none', settings })
  await expect(lasting.snapshot('any')).rejects.toThrow(
    'Snapshots require a database in memory, but DATABASE_URL names another one.',
  )
})
