import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import type { Caller } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import { children, makePage, paragraph, plainTexts } from '../harness/content.ts'
import { administer, startServer, urlOf } from '../harness/postgres.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Twenty workspaces, each with a reader and a writer, while commits or writers of one workspace are stuck. */

const WORKSPACES = 20
const STUCK_MS = 6_000
const READ_MS = 1_000
const STUCK_WRITE_MS = 5_000

interface Tenant {
  readonly workspaceId: string
  readonly caller: Caller
  readonly page: string
}

interface Timed {
  readonly status: number
  readonly milliseconds: number
  readonly name: string
}

let postgres: Awaited<ReturnType<typeof startServer>>
let server: TestServer
const tenants: Tenant[] = []
beforeAll(async () => {
  postgres = await startServer()
  await administer(postgres.url, (admin) => admin.query('create database tenants'))
  server = await startTestServer({ DATABASE_URL: urlOf(postgres.url, 'tenants'), RATE_LIMIT: '1000000/60' })
  for (let index = 0; index < WORKSPACES; index += 1) tenants.push(await makeTenant(index))
})
afterAll(async () => {
  await server.stop()
  await postgres.stop()
})

async function makeTenant(index: number): Promise<Tenant> {
  const workspaceId = await server.service.database.write((db) => createWorkspace(db, `Tenant ${index}`, server.clock.now()))
  const capabilities = ['read_content', 'insert_content', 'update_content'] as const
  const { caller } = await makeConnection(server, { capabilities, workspaceId, grants: [workspaceId] })
  return { workspaceId, caller, page: await makePage(caller, 'Log') }
}

async function timed(name: string, send: () => Promise<{ readonly status: number }>): Promise<Timed> {
  const begin = performance.now()
  const { status } = await send()
  return { status, name, milliseconds: performance.now() - begin }
}

const read = ({ caller, page }: Tenant): Promise<Timed> =>
  timed('', () => caller.call('listBlockChildren', { path: { block_id: page } }))

function write({ caller, page }: Tenant): Promise<Timed> {
  const name = randomUUID()
  const body = { children: [paragraph(name)] }
  return timed(name, () => caller.call('appendBlockChildren', { path: { block_id: page }, body }))
}

/** Repeats a request until the time is up. */
async function repeated(send: () => Promise<Timed>, milliseconds: number, pauseMs: number): Promise<Timed[]> {
  const found: Timed[] = []
  for (const end = performance.now() + milliseconds; performance.now() < end; await pause(pauseMs)) found.push(await send())
  return found
}

const everybody = (send: (tenant: Tenant) => Promise<Timed>, pauseMs: number): Promise<Timed[]> =>
  Promise.all(tenants.map((tenant) => repeated(() => send(tenant), STUCK_MS, pauseMs))).then((lists) => lists.flat())

/** Expects most reads in time, because a busy machine may delay a few. */
function expectPromptReads(reads: readonly Timed[]): void {
  expect(reads.length).toBeGreaterThan(WORKSPACES)
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
  const times = reads.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
  expect(times[Math.floor(times.length * 0.95)]).toBeLessThan(READ_MS)
}

async function expectKept(writes: readonly Timed[]): Promise<void> {
  const kept = new Set((await Promise.all(tenants.map(({ caller, page }) => children(caller, page)))).flatMap(plainTexts))
  expect(writes.filter(({ status, name }) => status === 200 && !kept.has(name))).toEqual([])
}

it('200 for reads while commits wait for a standby, and 503, 504 or 529 in time for writes, without losing a confirmed change', async () => {
  const standby = (names: string): Promise<unknown> =>
    administer(postgres.url, async (admin) => {
      await admin.query(`alter system set synchronous_standby_names = '${names}'`)
      await admin.query('select pg_reload_conf()')
    })
  const before = await Promise.all(tenants.map(write))
  expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]))
  await standby('absent')
  await pause(200)
  const [reads, writes] = await Promise.all([everybody(read, 400), everybody(write, 100)])
  await standby('')
  expectPromptReads(reads)
  expect([503, 504, 529]).toEqual(expect.arrayContaining([...new Set(writes.map(({ status }) => status))]))
  expect(Math.max(...writes.map(({ milliseconds }) => milliseconds))).toBeLessThan(STUCK_WRITE_MS)
  await expect.poll(async () => (await Promise.all(tenants.map(write))).every(({ status }) => status === 200)).toBe(true)
  await expectKept([...before, ...writes])
})

it('200 for all other workspaces while another database session locks one, whose writers get 529 in time', async () => {
  const [stuck, ...others] = tenants
  if (!stuck) throw new Error('there is no workspace')
  await administer(urlOf(postgres.url, 'tenants'), async (admin) => {
    await admin.query('begin')
    await admin.query('select id from workspaces where id = $1 for update', [stuck.workspaceId])
    const [blocked, reads, writes] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => repeated(() => write(stuck), STUCK_MS, 50))).then((lists) => lists.flat()),
      everybody(read, 400),
      Promise.all(others.map((tenant) => repeated(() => write(tenant), STUCK_MS, 1_000))).then((lists) => lists.flat()),
    ])
    await admin.query('rollback')
    expectPromptReads(reads)
    expect(new Set(writes.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(blocked.map(({ status }) => status))).toEqual(new Set([529]))
    expect(Math.max(...blocked.map(({ milliseconds }) => milliseconds))).toBeLessThan(STUCK_WRITE_MS)
    await expectKept(writes)
  })
})
