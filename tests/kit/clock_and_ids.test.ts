import { describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../testkit/src/index.ts'
import { idOf } from '../harness/json.ts'
import { responseOf, call } from './support/responses.ts'

const MORNING = '2026-05-16T04:30:00.000Z'
/** Takes longer to write than to request. */
const LONG = 'A line of the log book\n\n'.repeat(500)

describe('the clock of a test server', () => {
  it("follows the machine's clock until set", async () => {
    await using server = await createTestServer({ port: 'none' })
    const before = Date.now()
    const { body } = await call(server.workspace, 'createPage', { body: { markdown: 'Now' } })
    expect(Date.parse(String(body['created_time']))).toBeGreaterThanOrEqual(before)
    await server.clock.set(MORNING)
    expect((await call(server.workspace, 'createPage', { body: { markdown: 'Then' } })).body['created_time']).toBe(MORNING)
    await server.clock.advance({ hours: 1, minutes: 30 })
    expect(server.clock.now().toISOString()).toBe('2026-05-16T06:00:00.000Z')
    expect(() => server.clock.advance({ hours: -1 })).toThrow(RangeError)
  })

  it('lets tokens and uploads expire', async () => {
    await using server = await createTestServer({ port: 'none', time: MORNING })
    const { workspace } = server
    const asOwner = { headers: { Authorization: `Bearer ${workspace.owner.token}` } }
    const me = async (): Promise<number> =>
      (await responseOf('retrieveMe', await workspace.fetch('/v1/users/me', asOwner))).status
    const upload = idOf((await call(workspace, 'createFileUpload', { body: { filename: 'a.txt' } })).body)
    expect(await me()).toBe(200)
    await server.clock.advance({ hours: 2 })
    const { body } = await call(workspace, 'retrieveFileUpload', { path: { file_upload_id: upload } })
    expect(body['status']).toBe('expired')
    await server.clock.advance({ days: 366 })
    expect(await me()).toBe(401)
    expect((await call(workspace, 'retrieveMe')).status).toBe(200)
  })

  it('expires idempotency keys', async () => {
    await using server = await createTestServer({ port: 'none', time: MORNING })
    const make = (): ReturnType<typeof call> =>
      call(server.workspace, 'createPage', { body: { markdown: 'Once' }, headers: { 'Idempotency-Key': 'one-page' } })
    const first = idOf((await make()).body)
    expect(idOf((await make()).body)).toBe(first)
    await server.clock.advance({ days: 2 })
    expect(idOf((await make()).body)).not.toBe(first)
  })

  it('ends the wait for a decision in a session when time runs out', async () => {
    await using server = await createTestServer({ port: 'none', time: MORNING })
    const { workspace } = server
    await call(workspace, 'createPage', { body: { properties: { title: [{ text: { content: 'Log book' } }] } } })
    const headers = { Authorization: `Bearer ${workspace.owner.token}` }
    const message = 'create page "Tide table" in "Log book" with "text"'
    const { body } = await call(workspace, 'createSession', { headers, body: { agent_id: 'service_ai', message } })
    const status = async (): Promise<unknown> =>
      (await call(workspace, 'retrieveSession', { headers, path: { session_id: idOf(body) } })).body['status']
    await server.settled()
    expect(await status()).toBe('requires_action')
    await server.clock.advance({ hours: 23 })
    expect(await status()).toBe('requires_action')
    await server.clock.advance({ hours: 2 })
    expect(await status()).toBe('failed')
  })

  it('lets settled() wait for background work, even while the clock stands still', async () => {
    await using server = await createTestServer({ port: 'none', time: MORNING })
    const { workspace } = server
    const { body, status } = await call(workspace, 'createPage', { body: { markdown: LONG, allow_async: true } })
    expect(status).toBe(202)
    await server.settled()
    const task = await call(workspace, 'retrieveAsyncTask', { path: { task_id: idOf(body) } })
    expect(task.body['status']).toBe('succeeded')
  })
})

describe('ids of a test server', () => {
  const idsOf = async (server: TestServer): Promise<readonly unknown[]> => {
    const { workspace } = server
    const page = await call(workspace, 'createPage', { body: { markdown: 'One\n\nTwo' } })
    const children = await call(workspace, 'listBlockChildren', { path: { block_id: idOf(page.body) } })
    return [workspace.id, workspace.owner.id, workspace.botId, page.body, children.body]
  }

  it('are equal in each run with the same seed', async () => {
    await using one = await createTestServer({ port: 'none', seed: 'tide', time: MORNING })
    await using same = await createTestServer({ port: 'none', seed: 'tide', time: MORNING })
    const [ofOne, ofSame] = [await idsOf(one), await idsOf(same)]
    expect(ofSame).toEqual(ofOne)
    await using other = await createTestServer({ port: 'none', seed: 'ebb', time: MORNING })
    expect((await idsOf(other))[0]).not.toBe(ofOne[0])
  })

  it('are random without a seed, even beside a server with a seed', async () => {
    await using _seeded = await createTestServer({ port: 'none', seed: 'tide' })
    await using one = await createTestServer({ port: 'none', time: MORNING })
    await using two = await createTestServer({ port: 'none', time: MORNING })
    expect((await idsOf(one))[0]).not.toBe((await idsOf(two))[0])
  })
})
