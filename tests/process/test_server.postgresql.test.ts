import { afterAll, expect, it } from 'vitest'
import { assertAgentTurn, createTestServer } from '../../testkit/src/index.ts'
import { makeDatabase } from '../harness/databases.ts'
import { at } from '../harness/json.ts'
import { call, makePage } from '../kit/support/responses.ts'

const database = await makeDatabase()
const start = () => createTestServer({ port: 'none', time: '2026-05-16T04:30:00Z', settings: { DATABASE_URL: database.url } })
const server = await start()
afterAll(async () => {
  await server.close()
  await database.drop()
})

it('a test server on PostgreSQL has separate workspaces, a clock, faults and a journal', async () => {
  const other = await server.createWorkspace()
  const page = await makePage(server.workspace)
  expect((await call(other, 'retrievePage', { path: { page_id: page } })).status).toBe(404)
  server.faults.rateLimited({ token: other.token, next: 1 })
  expect([(await call(other, 'retrieveMe')).status, (await call(other, 'retrieveMe')).status]).toEqual([429, 200])
  expect(server.journal.received('createPage')).toHaveLength(1)
  const upload = await call(other, 'createFileUpload', { body: { filename: 'tide.txt' } })
  await server.clock.advance({ hours: 2 })
  const path = { file_upload_id: String(upload.body['id']) }
  expect((await call(other, 'retrieveFileUpload', { path })).body['status']).toBe('expired')
})

it('a test server on PostgreSQL has scripted agents', async () => {
  const steps = [{ type: 'text', text: 'Low water is at nine.' }, { type: 'credit_limit' }] as const
  const agent_id = await server.createAgent({ name: 'Tide Watch', credits: 10, turns: [{ steps }] })
  await call(server.workspace, 'createSession', { body: { agent_id, message: 'When is low water?' } })
  await server.settled()
  assertAgentTurn(server, agent_id, { steps: [...steps] })
  const again = await call(server.workspace, 'createSession', { body: { agent_id, message: 'Again' } })
  expect(again.body['code']).toBe('agent_credit_limit_reached')
})

it('several test servers can share a database, with separate workspaces', async () => {
  await using second = await start()
  await makePage(second.workspace, 'Of the second')
  const found = await call(server.workspace, 'search', { body: {} })
  expect(JSON.stringify(at(found.body, 'results'))).not.toContain('Of the second')
})

it('snapshots of a test server require a database in memory', async () => {
  await expect(server.snapshot('any')).rejects.toThrow('Snapshots require a database in memory')
})
