import type { ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../harness/process.ts'
import { whyNoRedis } from '../harness/programs.ts'
import { endProcess, startRedis } from '../harness/redis.ts'
import { parseConfig } from '../../server/config.ts'
import { checkRedis } from '../../cli/src/doctor/redis_check.ts'
import type { DoctorFinding } from '../../cli/src/doctor/finding.ts'
import { CommandLine } from './support.ts'
import { scratchFolder } from '../harness/databases.ts'

let redis: ChildProcess
let port: number
beforeAll(async () => {
  port = await freePort()
  redis = await startRedis(
    port,
    '--requirepass',
    'hunter2',
    '--user',
    'reader',
    'on',
    '>hunter2',
    '~*',
    '+@read',
    '+@connection',
    '+info',
  )
})
afterAll(() => endProcess(redis))

const look = (url?: string): Promise<DoctorFinding> =>
  checkRedis({ config: parseConfig(url === undefined ? {} : { REDIS_URL: url }), database: undefined })

describe.skipIf(whyNoRedis() !== undefined)('the Redis check of doctor', () => {
  it('reports ok when Redis counts a trial request', async () => {
    const url = `redis://default:hunter2@127.0.0.1:${port}`
    const found = await look(url)
    expect(found).toMatchObject({ check: 'redis', health: 'ok' })
    expect(found.detail).toMatch(new RegExp(`^Redis \\d+\\.\\d+\\S* at 127\\.0\\.0\\.1:${port} counts requests$`))
    expect((await look(url)).health).toBe('ok')
  })

  it('is skipped when REDIS_URL is not set', async () => {
    expect((await look()).health).toBe('skipped')
  })

  it.each([
    ['is missing', async () => `redis://127.0.0.1:${await freePort()}`, /ECONNREFUSED/],
    ['requires another password', async () => `redis://default:wrong_hunter2@127.0.0.1:${port}`, /WRONGPASS/],
    ['requires a password', async () => `redis://127.0.0.1:${port}`, /NOAUTH/],
    ['allows its user only to read', async () => `redis://reader:hunter2@127.0.0.1:${port}`, /NOPERM/],
    ['is not Redis', async () => strange('HTTP/1.1 400 Bad Request\r\n\r\n'), /./],
    ['does not respond', async () => strange(undefined), /no response within 5 seconds/],
  ])('reports a problem, without the password, when Redis %s', async (_what, address, reason) => {
    const found = await look(await address())
    expect(found).toMatchObject({ check: 'redis', health: 'problem' })
    expect(found.detail).toMatch(reason)
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  it('is a line of `doctor`, which exits with code 3 on a problem', async () => {
    const url = `sqlite:${scratchFolder('doctor-')}/workspace.db`
    const { code, output } = await new CommandLine(url, { REDIS_URL: `redis://127.0.0.1:${await freePort()}` }).run(['doctor'])
    expect(code).toBe(3)
    expect(output).toMatch(/^PROBLEM {2}redis {2,}127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/m)
  })
})

const others: Server[] = []
afterAll(() => others.forEach((server) => server.close()))

/**
 * A server of another protocol.
 * @param greeting undefined if it sends nothing
 */
async function strange(greeting: string | undefined): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (greeting !== undefined) socket.end(greeting)
  })
  others.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}
