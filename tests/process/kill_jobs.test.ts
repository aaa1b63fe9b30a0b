import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import type { Caller } from '../harness/caller.ts'
import { children, makePage } from '../harness/content.ts'
import { databaseOfFile, scratchFolder } from '../harness/databases.ts'
import { pdf } from '../harness/files.ts'
import { at, idOf, textAt } from '../harness/json.ts'
import { killCount, livesUntil, reportKills } from '../harness/kills.ts'
import { runService, until, type RunningProcess } from '../harness/process.ts'
import { served, startRemoteHost, type RemoteHost } from '../harness/remote_host.ts'

/**
 * Two processes share a database and its jobs, and one of them is killed (SIGKILL) repeatedly while jobs wait and run. In the end each
 * accepted task has taken effect once, and each accepted import has its file.
 */
const KILLS = killCount(1)
const REQUESTS = 24
/** Longer than any lease. */
const LEASE_MS = 200_000

const database = await databaseOfFile()
let store: Database
let remote: RemoteHost
let settings: Record<string, string>
beforeAll(async () => {
  store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  remote = await startRemoteHost({ 'plan.pdf': served(pdf, 'application/pdf') })
  settings = {
    DATABASE_URL: database.url,
    FILES_URL: `file:${scratchFolder('kill-jobs-')}`,
    FILE_IMPORT_HOSTS: remote.host,
    NODE_EXTRA_CA_CERTS: remote.certFile,
    LOG_LEVEL: 'error',
  }
})
afterAll(async () => {
  await store.close()
  await remote.close()
})

/** Requested and accepted work. */
const requested = new Set<string>()
const tasks = new Map<string, string>()
const uploads: string[] = []

async function request(caller: Caller, parent: string, mark: string): Promise<void> {
  requested.add(mark)
  const body = { parent: { page_id: parent }, markdown: `# ${mark}\ntext`, allow_async: true }
  const response = await caller.call('createPage', { body })
  expect(response.status, response.text).toBe(202)
  tasks.set(mark, idOf(response.body))
}

async function requestFile(caller: Caller): Promise<void> {
  const body = { mode: 'external_url', filename: 'plan.pdf', external_url: remote.url('plan.pdf') }
  const response = await caller.call('createFileUpload', { body })
  expect(response.status, response.text).toBe(200)
  uploads.push(idOf(response.body))
}

const unfinished = async (state = '%'): Promise<number> => {
  const sql = `select count(*) as n from jobs where kind in ('async_task', 'file_import') and state like ?`
  return (await store.read((db) => db.get({ n: 'integer' }, sql, state)))?.n ?? 0
}

/** Ends all leases, including those of a process that is alive and working. */
const endLeases = (): Promise<unknown> =>
  store.write((db) => db.run(`update jobs set due_time = due_time - ${LEASE_MS} where state = 'running'`))

it('kills while jobs run lose no accepted job and repeat no effect', { timeout: 3_600_000 }, async () => {
  let [first, second]: [RunningProcess, RunningProcess] = [await runService(settings), await runService(settings)]
  const parent = await makePage(first.owner)
  let [left, running] = [0, 0]
  for (const kill of livesUntil(() => left > 0, KILLS)) {
    const victim = first
    const survivor = second
    const accepted = tasks.size + Math.floor(Math.random() * REQUESTS)
    const requests = Array.from({ length: REQUESTS }, (_, index) => {
      const { owner } = index % 2 === 0 ? victim : survivor
      const sent = index % 8 === 0 ? requestFile(owner) : request(owner, parent, `${kill}-${index}`)
      // A killed process no longer responds.
      return sent.catch((error: unknown) => {
        if (owner === survivor.owner || (error instanceof Error && error.name === 'AssertionError')) throw error
      })
    })
    const all = Promise.all(requests)
    await Promise.race([all, until(() => (tasks.size >= accepted ? true : undefined))])
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
    victim.kill('SIGKILL')
    expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' })
    left += await unfinished()
    running += await unfinished('running')
    await endLeases()
    await all
    expect(victim.log()).toStrictEqual([])
    ;[first, second] = [survivor, await runService(settings)]
  }
  // Ends leases every two seconds, not at every poll: on a busy machine, every process would lose its job before completing it.
  let next = 0
  await until(async () => {
    if ((await unfinished()) === 0) return true
    if (performance.now() >= next) await endLeases().then(() => (next = performance.now() + 2_000))
    return undefined
  })

  const { owner } = second
  const titles = (await children(owner, parent)).map((page) => textAt(page, 'child_page', 'title')).sort()
  expect(titles, 'each effect once').toStrictEqual([...new Set(titles)])
  for (const title of titles) expect(requested).toContain(title)
  for (const [mark, id] of tasks) {
    const { body } = await owner.call('retrieveAsyncTask', { path: { task_id: id } })
    expect(body, mark).toMatchObject({ status: 'succeeded' })
    expect(at(body, 'result', 'id'), mark).toBeDefined()
    expect(titles).toContain(mark)
  }
  for (const id of uploads)
    expect((await owner.call('retrieveFileUpload', { path: { file_upload_id: id } })).body).toMatchObject({ status: 'uploaded' })
  expect(left, 'jobs were left when processes were killed').toBeGreaterThan(0)
  reportKills(
    `${tasks.size} tasks and ${uploads.length} imports accepted; at the kills ${left} jobs were unfinished, ${running} of them running`,
  )
  for (const service of [first, second]) {
    service.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0 })
    expect(service.log()).toStrictEqual([])
  }
})
