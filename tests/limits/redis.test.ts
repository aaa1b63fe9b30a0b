import type { ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../harness/responses.ts'
import { makeConnection } from '../harness/connections.ts'
import { expectError } from '../harness/expectations.ts'
import { freePort } from '../harness/process.ts'
import { whyNoRedis } from '../harness/programs.ts'
import { endProcess, startRedis } from '../harness/redis.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { remaining } from './rate_limit_headers.ts'

const many = (count: number, send: (index: number) => Promise<TestResponse>): Promise<TestResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))
const passed = (responses: readonly TestResponse[]): number => responses.filter(({ status }) => status === 200).length
const me = (server: TestServer): Promise<TestResponse> => server.owner.call('retrieveMe')

describe.skipIf(whyNoRedis() !== undefined)('rate limits in Redis', () => {
  let redis: ChildProcess | undefined
  let port: number
  beforeAll(async () => {
    port = await freePort()
    redis = await startRedis(port)
  })
  afterAll(() => endProcess(redis))

  const start = (settings: Record<string, string>): Promise<TestServer> =>
    startTestServer({ REDIS_URL: `redis://127.0.0.1:${port}`, ...settings })

  it('429 for exactly the requests beyond the limit of all servers, even with different databases', async () => {
    const servers = [await start({ RATE_LIMIT: '30/60' }), await start({ RATE_LIMIT: '30/60' })] as const
    try {
      const all = await many(80, (index) => me(servers[index % 2 === 0 ? 0 : 1]))
      expect(passed(all)).toBe(30)
      for (const response of all) if (response.status !== 200) expectError(response, 429, 'rate_limited')
      const { caller } = await makeConnection(servers[0], { capabilities: [], grants: [exampleWorkspace.workspace.id] })
      expect(remaining(await caller.call('retrieveMe'), 'workspace')).toBe(300 - 31)
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  })

  it('200 with requests counted by each process alone while Redis is unavailable, and by all together afterwards', async () => {
    const settings = { RATE_LIMIT: '1000/60', RATE_LIMIT_WORKSPACE: '100000/60' }
    const [one, other] = [await start(settings), await start(settings)]
    const isShared = async (): Promise<boolean> =>
      remaining(await me(one), 'connection') === remaining(await me(other), 'connection') + 1
    try {
      await expect.poll(isShared, { timeout: 60_000 }).toBe(true)
      await endProcess(redis)
      expect([remaining(await me(one), 'connection'), remaining(await me(other), 'connection')]).toStrictEqual([999, 999])
      redis = await startRedis(port)
      await expect.poll(isShared, { timeout: 60_000 }).toBe(true)
    } finally {
      await Promise.all([one.stop(), other.stop()])
    }
  })

  it('200 when the service starts without Redis', async () => {
    const server = await startTestServer({ REDIS_URL: `redis://127.0.0.1:${await freePort()}`, RATE_LIMIT: '2/60' })
    try {
      expect(passed(await many(4, () => me(server)))).toBe(2)
    } finally {
      await server.stop()
    }
  })
})
