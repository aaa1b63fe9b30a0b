import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import type { Caller } from '../harness/caller.ts'
import { commentTexts } from '../harness/comments.ts'
import { children, makePage, plainTexts } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { textAt, type JsonObject } from '../harness/json.ts'
import { killCount, livesUntil, reportKills } from '../harness/kills.ts'
import { runService, until, type RunningProcess } from '../harness/process.ts'
import { wholeStream } from '../harness/sessions.ts'
import { SessionClient, orderKinds, type Deployment } from './support/session_client.ts'

/**
 * Two processes share a database; one of them, or both, are killed (SIGKILL) at random times while clients talk to an agent, follow its
 * turns, and decide on its proposals. In the end each session has stopped, approved changes are stored once, rejected ones are not, and
 * each client has received each event once.
 */
const KILLS = killCount(1)
const CLIENTS = 16
/** Frames of all clients in one life: about as many as arrive before all sessions are complete. */
const FRAMES = 140
/** Longer than any lease. */
const LEASE_MS = 200_000

const database = await databaseOfFile()
let store: Database
let settings: Record<string, string>
beforeAll(async () => {
  store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  settings = { DATABASE_URL: database.url, FILES_URL: 'file::temporary:', LOG_LEVEL: 'error' }
})
afterAll(() => store.close())

/**
 * Ends all leases, including those of a process that is alive and working.
 * @returns their number
 */
function endLeases(): Promise<number> {
  return store.write((db) =>
    db.change(
      `update jobs set due_time = due_time - ? where state = 'running' and kind in ('session turn', 'session limit')`,
      LEASE_MS,
    ),
  )
}

/** The errors that a process has logged, except turns that were abandoned after several processes. */
function faultsOf(service: RunningProcess | undefined): JsonObject[] | undefined {
  return service?.log().filter(({ kind, err }) => kind !== 'session turn' || typeAt(err) !== 'Interrupted')
}

function typeAt(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
}

/** Two processes, each of which may be dead. */
class Service implements Deployment {
  readonly agent = exampleWorkspace.agents.partsScout
  readonly #processes: (RunningProcess | undefined)[] = []
  frames = 0

  async start(): Promise<void> {
    for (const index of [0, 1]) this.#processes[index] ??= await runService(settings)
  }

  get living(): RunningProcess[] {
    return this.#processes.filter((one) => one !== undefined)
  }

  anyProcess(): RunningProcess | undefined {
    return this.living[Math.floor(Math.random() * this.living.length)]
  }

  onFrame(): void {
    this.frames += 1
  }

  async kill(index: number): Promise<void> {
    const victim = this.#processes[index]
    this.#processes[index] = undefined
    victim?.kill('SIGKILL')
    expect(await victim?.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(faultsOf(victim)).toStrictEqual([])
  }

  async stop(): Promise<void> {
    for (const one of this.living) {
      one.kill('SIGTERM')
      expect(await one.ended).toMatchObject({ code: 0 })
      expect(faultsOf(one)).toStrictEqual([])
    }
  }
}

/** One order of each kind and decision, and more; all marks have the same length. */
function ordersOf(life: number, page: string): SessionClient['order'][] {
  return Array.from({ length: CLIENTS }, (_, index) => ({
    kind: orderKinds[index % orderKinds.length] ?? 'question',
    decision: index % 8 < 5 ? 'approve' : 'reject',
    mark: `zq${String(life).padStart(3, '0')}x${String(index).padStart(2, '0')}`,
    page,
  }))
}

const sessionShape = {
  id: 'text',
  title: 'text',
  status: 'text',
  error: 'text?',
  credits: 'number',
  last: 'integer',
  events: 'integer',
  first: 'integer',
  used: 'integer',
  tokens: 'integer',
  hundredths: 'integer',
} as const

/** Each session with its stored events and usage. */
const sessionRows = () =>
  store.read((db) =>
    db.all(
      sessionShape,
      `select s.id, s.title, s.status, s.error, s.credits_used as credits, s.last_sequence as last,
         (select count(*) from session_events e where e.workspace_id = s.workspace_id and e.session_id = s.id) as events,
         (select min(e.sequence) from session_events e where e.workspace_id = s.workspace_id and e.session_id = s.id) as first,
         (select count(*) from agent_usage u where u.workspace_id = s.workspace_id and u.source_id = s.id) as used,
         (select coalesce(sum(u.tokens), 0) from agent_usage u where u.workspace_id = s.workspace_id and u.source_id = s.id) as tokens,
         (select coalesce(sum(u.hundredths), 0) from agent_usage u where u.workspace_id = s.workspace_id and u.source_id = s.id) as hundredths
       from sessions s where s.agent_id = ? order by s.id`,
      exampleWorkspace.agents.partsScout,
    ),
  )
type SessionFacts = Awaited<ReturnType<typeof sessionRows>>[number]

/** All stored effects of these orders. */
async function effectsOn(caller: Caller, page: string): Promise<string[]> {
  const blocks = await children(caller, page)
  const titles = blocks.flatMap((one) => (one['type'] === 'child_page' ? [textAt(one, 'child_page', 'title')] : []))
  return [...titles, ...plainTexts(blocks.filter(({ type }) => type === 'paragraph')), ...(await commentTexts(caller, page))]
}

/**
 * Sessions whose turn was abandoned, with the number of processes that had begun it: on a busy machine, a live process may also lose a turn
 * by extending its lease too late.
 */
async function abandonedTurns(): Promise<ReadonlyMap<string | null, number>> {
  const rows = await store.read((db) =>
    db.all(
      { job_key: 'text?', attempts: 'integer' },
      `select job_key, attempts from jobs where state = 'dead' and kind = 'session turn'`,
    ),
  )
  // The last attempt only finds that there were too many before it.
  return new Map(rows.map(({ job_key: sessionId, attempts }) => [sessionId, attempts - 1]))
}

/**
 * Checks the invariants of one session.
 * @returns how often its write was executed
 */
async function check(
  client: SessionClient,
  url: string,
  facts: SessionFacts | undefined,
  effects: string[],
  processes = 0,
): Promise<number> {
  const { id, events, order } = client
  const label = `${order.mark} ${order.kind} ${order.decision} ${id ?? ''}`
  const whole = await wholeStream(url, { session_id: id ?? '', continue_from: '0' })
  expect(events, label).toStrictEqual(whole.committed)
  const numbers = events.map(({ sequence }) => Number(sequence))
  expect(numbers, label).toStrictEqual([...new Set(numbers)].sort((one, other) => one - other))
  expect(facts, label).toMatchObject({ first: 1, events: facts?.last, used: facts?.status === 'failed' ? facts.used : 1 })
  expect(facts?.credits, label).toBe((facts?.hundredths ?? 0) / 100)
  // Only thoughts are not streamed; an abandoned turn may not have reached one.
  const missing = Array.from({ length: facts?.last ?? 0 }, (_, index) => index + 1).filter((one) => !numbers.includes(one))
  const thoughts = order.kind === 'question' ? 1 : 0
  expect([thoughts, facts?.status === 'failed' ? 0 : thoughts], `${label} ${facts?.status ?? ''}`).toContain(missing.length)

  const results = events.filter(({ type, tool_name: name }) => type === 'agent.tool_result' && name === order.kind)
  const done = effects.filter((text) => text === order.mark).length
  expect(done, label).toBe(results.length)
  if (facts?.status === 'failed') {
    expect(facts.error, label).toContain('agent_error')
    expect(processes, `${label}: processes that began its turn`).toBeGreaterThanOrEqual(2)
    expect(done, label).toBeLessThanOrEqual(order.decision === 'approve' ? 1 : 0)
    return done
  }
  expect(facts?.status, label).toBe('completed')
  expect(done, label).toBe(order.kind !== 'question' && order.decision === 'approve' ? 1 : 0)
  return done
}

it(
  'kills while agents work lose no session or event, and each approved action is executed once',
  { timeout: 3_600_000 },
  async () => {
    const service = new Service()
    await service.start()
    const clients: SessionClient[] = []
    const talks: Promise<unknown>[] = []
    const pages: string[] = []
    let [interrupted, broken] = [0, 0]
    for (const life of livesUntil(() => interrupted > 0, KILLS)) {
      const page = await makePage(
        service.living[0]?.owner ?? expect.fail('nobody lives'),
        'Board',
        exampleWorkspace.pages.launchPlan,
      )
      pages.push(page)
      const begun = ordersOf(life, page).map((order) => new SessionClient(service, order))
      clients.push(...begun)
      const enough = service.frames + Math.random() * FRAMES
      const all = Promise.all(begun.map((client) => client.begin()))
      all.catch(() => undefined)
      talks.push(all)
      await Promise.race([all, until(() => (service.frames >= enough ? true : undefined))])
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      const victims = [[0], [0, 1], [1]][life % 3] ?? []
      await Promise.all(victims.map((index) => service.kill(index)))
      interrupted += await endLeases()
      await service.start()
    }
    await Promise.all(talks)

    const rows = await sessionRows()
    for (const { id, title } of rows) {
      const client = clients.find(({ order }) => title.includes(order.mark))
      if (client && client.id === undefined) {
        broken += 1
        client.id = id
        await client.follow()
      }
    }
    const { owner, url } = service.living[0] ?? expect.fail('nobody lives')
    const facts = await sessionRows()
    const known = clients.filter(({ id }) => id !== undefined)
    expect(facts.map(({ id }) => id)).toStrictEqual(known.map(({ id }) => id).sort())
    const effects: string[] = []
    for (const page of pages) effects.push(...(await effectsOn(owner, page)))
    const begun = await abandonedTurns()
    let done = 0
    for (const client of known)
      done += await check(
        client,
        url,
        facts.find(({ id }) => id === client.id),
        effects,
        begun.get(client.id ?? null),
      )
    expect(effects).toHaveLength(done)
    checkUsage(known, facts)
    await checkSums(facts)
    await service.stop()
    const failed = facts.filter(({ status }) => status === 'failed').length
    const streams = clients.reduce((sum, client) => sum + client.streams, 0)
    reportKills(
      `${facts.length} sessions, ${streams} streams, ${done} approved actions executed; ${interrupted} turns were interrupted, ${failed} of them twice, ${broken} beginnings were not answered`,
    )
    expect(interrupted, 'turns were under way when processes were killed').toBeGreaterThan(0)
  },
)

/** Checks that turns of one kind use the same number of tokens, even if they were interrupted. */
function checkUsage(clients: readonly SessionClient[], facts: readonly SessionFacts[]): void {
  const tokens = new Map<string, Set<number>>()
  for (const { id, order } of clients) {
    const own = facts.find((one) => one.id === id)
    // Questions search the workspace, so their tokens depend on what other sessions have written.
    if (own?.status !== 'completed' || order.kind === 'question') continue
    const kind = `${order.kind} ${order.decision}`
    tokens.set(kind, (tokens.get(kind) ?? new Set()).add(own.tokens))
  }
  for (const [kind, counts] of tokens) expect([...counts], kind).toHaveLength(1)
}

/** Checks that the spending of the agent and the workspace equals the cost of the turns. */
async function checkSums(facts: readonly SessionFacts[]): Promise<void> {
  const spent = await store.read((db) =>
    db.all(
      { hundredths: 'integer' },
      'select hundredths from credit_periods where spender_id in (?, ?)',
      exampleWorkspace.workspace.id,
      exampleWorkspace.agents.partsScout,
    ),
  )
  const cost = facts.reduce((sum, { hundredths }) => sum + hundredths, 0)
  expect(spent).toStrictEqual([{ hundredths: cost }, { hundredths: cost }])
}
