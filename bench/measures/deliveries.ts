import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { insertDelivery } from '../../server/domain/events/webhooks/insert_delivery.ts'
import type { FormedEvent } from '../../server/domain/events/webhooks/payload.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { createPage, headers } from '../databases/api.ts'
import type { Engine } from '../databases/engine.ts'
import { replaceSubscriptions, type BenchSubscription } from '../databases/subscriptions.ts'
import { cacheFolder } from '../databases/prepare.ts'
import { startLoad, type Load } from '../load/load.ts'
import { startBusy, type Busy } from '../processes/busy.ts'
import { launch, type Running } from '../processes/launch.ts'
import { bar } from '../progress.ts'
import { startReceivers, type ReceiverName, type Receivers } from '../receivers/receivers.ts'
import { serviceLaunch } from '../subjects/service.ts'
import { commentsOn } from './events.ts'
import type { Bounds } from './series.ts'

export const NO_RECEIVERS = 'no subscription'
/** A control: how much reads slow down when a second processor is busy with anything. */
export const CONTROL = 'no subscription, and another process as busy'
export const HEALTHY_RECEIVERS = '4 healthy receivers'
export const BAD_RECEIVERS = '4 healthy, 1 slow, 1 dead, 1 failing'

const HEALTHY = 4
/** Each comment becomes an event for every subscription, so healthy receivers get slightly more than a thousand events a second. */
const COMMENTS_PER_SECOND = { sqlite: 255, postgresql: 50 }
/** Reads run as fast as possible, or at this rate, which leaves capacity. */
export const STEADY = '400 a second'
const READING = { 'as fast as it can': undefined, [STEADY]: 400 }
const DRAINED = 4_000
/** In a shorter round, the number of events that arrive would vary too much. */
const ROUND_MS_MIN = 1_500
const DRAIN_MS_MAX = 120_000
/** More than any round sends. */
const REQUESTS_MANY = 1_000_000

const audiences: Readonly<Record<string, readonly ReceiverName[]>> = {
  [NO_RECEIVERS]: [],
  [CONTROL]: [],
  [HEALTHY_RECEIVERS]: new Array<ReceiverName>(HEALTHY).fill('healthy'),
  [BAD_RECEIVERS]: [...new Array<ReceiverName>(HEALTHY).fill('healthy'), 'slow', 'dead', 'failing'],
}

/** Comments and reads while events are recorded, rendered and delivered, by round. */
export interface DeliveryFigures {
  readonly label: string
  /** Successful reads. */
  readonly perSecond: number[]
  readonly p50: number[]
  readonly p99: number[]
  /** Successful comments. */
  readonly commentsPerSecond: number[]
  readonly commentsP50: number[]
  /** Events that healthy receivers got during the reads. */
  readonly deliveredPerSecond: number[]
  /** Processor time of the service's own process. */
  readonly processorSecondsPerSecond: number[]
  /** Of this, the time of the thread that handles requests. */
  readonly mainThreadSecondsPerSecond: number[]
  /** Processor time of the service's other threads, the receivers, and the control process. */
  readonly besideSecondsPerSecond: number[]
}

/** How fast waiting events are delivered. */
export interface DrainFigures {
  readonly label: string
  readonly perSecond: number
  /** Processor time of the service's own process for one event. */
  readonly processorMicroseconds: number
  /** Of this, the time of the thread that handles requests. */
  readonly mainThreadMicroseconds: number
}

export interface DeliveryResults {
  readonly series: readonly DeliveryFigures[]
  readonly drains: readonly DrainFigures[]
}

interface World {
  readonly name: string
  readonly engine: Engine['name']
  readonly running: Running
  readonly database: Database
  readonly receivers: Receivers
  readonly busy: Busy
  readonly pages: readonly string[]
  /** Sends the comments; the load process of the bench sends the reads. */
  readonly writers: Load
}

/** Measures events that are actually delivered, with a separate service and receivers. */
export async function measureDeliveries(
  engines: readonly Engine[],
  { deliveryRounds: rounds, millisecondsMax }: Pick<Bounds, 'millisecondsMax'> & { readonly deliveryRounds: number },
  load: Load,
  profile: string | undefined,
): Promise<DeliveryResults> {
  const [series, drains]: [DeliveryFigures[], DrainFigures[]] = [[], []]
  const receivers = await startReceivers(cacheFolder)
  const [writers, busy] = [startLoad(), startBusy()]
  try {
    for (const engine of engines) {
      const world = await start(engine, { receivers, writers, busy }, profile)
      for (const reading of Object.keys(READING) as (keyof typeof READING)[])
        series.push(...(await runRounds(world, reading, { rounds, milliseconds: Math.max(millisecondsMax, ROUND_MS_MIN) }, load)))
      for (const count of [1, HEALTHY]) drains.push(await drain(world, count))
      await world.database.close()
      await world.running.stop()
    }
  } finally {
    writers.stop()
    busy.stop()
    receivers.stop()
  }
  return { series, drains }
}

async function start(
  engine: Engine,
  others: Pick<World, 'receivers' | 'writers' | 'busy'>,
  profile: string | undefined,
): Promise<World> {
  const url = await engine.create('deliveries')
  const how = serviceLaunch(url, { profile })
  const running = await launch({
    ...how,
    environment: (port) => ({
      ...how.environment?.(port),
      WEBHOOK_PRIVATE_HOSTS: 'localhost',
      NODE_EXTRA_CA_CERTS: others.receivers.certFile,
    }),
  })
  const pages: string[] = []
  for (let index = 0; index < 20; index += 1)
    pages.push(await createPage(running.url, { properties: { title: { title: [{ text: { content: `Boatyard ${index}` } }] } } }))
  const name = engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
  return { name, engine: engine.name, running, database, pages, ...others }
}

/** Measures every audience once per round, starting with a different one each time. The first round is a warm-up and does not count. */
async function runRounds(
  world: World,
  reading: keyof typeof READING,
  { rounds, milliseconds }: { readonly rounds: number; readonly milliseconds: number },
  load: Load,
): Promise<DeliveryFigures[]> {
  const names = Object.keys(audiences)
  const figures = names.map((name) => emptyFigures(`${world.name}, reads ${reading}: ${name}`))
  const latest = new Map<string, number>()
  const total = (rounds + 1) * names.length
  let done = 0
  for (let round = 0; round <= rounds; round += 1)
    for (let turn = 0; turn < names.length; turn += 1) {
      const location = (round + turn) % names.length
      const [name, kept] = [names[location], figures[location]]
      if (name === undefined || !kept) continue
      const paths = audiences[name] ?? []
      await replaceSubscriptions(
        world.database,
        paths.map((path): BenchSubscription => ({ eventTypes: ['comment.created'], url: world.receivers.url(path) })),
      )
      world.busy.take(name === CONTROL ? busyShare(latest) : 0)
      const one = await runOnce(world, round, READING[reading], milliseconds, load)
      world.busy.take(0)
      latest.set(name, one.besideSecondsPerSecond)
      if (round > 0) for (const key of Object.keys(one) as (keyof typeof one)[]) kept[key].push(one[key])
      await untilDelivered(world.database)
      bar(`deliveries, ${world.name}, reads ${reading}`, (done += 1) / total)
    }
  return figures
}

/** Share of the second processor that events used in the latest rounds; the warm-up may have no figure yet. */
function busyShare(latest: ReadonlyMap<string, number>): number {
  const more = (latest.get(HEALTHY_RECEIVERS) ?? 0) - (latest.get(NO_RECEIVERS) ?? 0)
  return Math.min(1, Math.max(0, more)) || 0
}

function emptyFigures(label: string): DeliveryFigures {
  return {
    ...{ label, perSecond: [], p50: [], p99: [], commentsPerSecond: [], commentsP50: [] },
    ...{ deliveredPerSecond: [], processorSecondsPerSecond: [], mainThreadSecondsPerSecond: [], besideSecondsPerSecond: [] },
  }
}

async function runOnce(
  { engine, running, receivers, busy, pages, writers }: World,
  round: number,
  perSecond: number | undefined,
  milliseconds: number,
  load: Load,
): Promise<Record<Exclude<keyof DeliveryFigures, 'label'>, number>> {
  const { url } = running
  const job = { url, connections: 16, requestsMax: REQUESTS_MANY }
  const writing = (millisecondsMax: number): ReturnType<Load['run']> =>
    writers.run({ ...job, requests: commentsOn(pages, round, 500), perSecond: COMMENTS_PER_SECOND[engine], millisecondsMax })
  const figuresNow = async () => ({
    counts: await receivers.counts(),
    processor: processorOf(running),
    others: receivers.processorSeconds() + busy.processorSeconds(),
  })
  // Wait until events arrive at an even rate.
  await writing(1_000)
  const before = await figuresNow()
  const reads = pages.map((id) => ({ method: 'GET', path: `/v1/pages/${id}`, headers }) as const)
  const [read, written] = await Promise.all([
    load.run({ ...job, requests: reads, millisecondsMax: milliseconds, ...(perSecond === undefined ? {} : { perSecond }) }),
    writing(milliseconds),
  ])
  const after = await figuresNow()
  const seconds = Math.max(read.milliseconds, written.milliseconds) / 1000
  const [all, main] = [after.processor.all - before.processor.all, after.processor.main - before.processor.main]
  return {
    perSecond: (read.completed / read.milliseconds) * 1000,
    p50: read.latencies.p50,
    p99: read.latencies.p99,
    commentsPerSecond: (written.completed / written.milliseconds) * 1000,
    commentsP50: written.latencies.p50,
    deliveredPerSecond: (after.counts.healthy - before.counts.healthy) / seconds,
    processorSecondsPerSecond: all / seconds,
    mainThreadSecondsPerSecond: main / seconds,
    besideSecondsPerSecond: (all - main + after.others - before.others) / seconds,
  }
}

/** Seconds of processor time so far. */
function processorOf(running: Running): { readonly all: number; readonly main: number } {
  const { processorSeconds = NaN, mainThreadSeconds = NaN } = running.figures()
  return { all: processorSeconds, main: mainThreadSeconds }
}

const WAIT_MS_MAX = 10_000

/** Waits, for a limited time, until all events for healthy receivers are delivered. */
async function untilDelivered(database: Database): Promise<void> {
  for (const end = performance.now() + WAIT_MS_MAX; performance.now() < end; await pause(200)) {
    const left = await database.read((db) =>
      db.get(
        {},
        `select 1 as one from webhook_subscriptions s join webhook_deliveries d on d.workspace_id = s.workspace_id
         and d.subscription_id = s.id where s.url like '%/healthy' and d.due_time is not null limit 1`,
      ),
    )
    if (!left) return
  }
}

async function drain({ name, running, database, receivers, pages }: World, count: number): Promise<DrainFigures> {
  const url = receivers.url('healthy')
  const ids = await replaceSubscriptions(
    database,
    new Array<BenchSubscription>(count).fill({ eventTypes: ['page.created'], url }),
  )
  const [start, before] = [(await receivers.counts()).healthy, processorOf(running)]
  await database.write(async (db) => {
    for (const subscriptionId of ids) {
      const events = Array.from({ length: DRAINED / count }, (_event, index) =>
        eventAbout(pages[index % pages.length] ?? '', subscriptionId),
      )
      await insertDelivery(db, [{ homeId: exampleWorkspace.workspace.id, subscriptionId, events }], Date.now())
    }
  })
  const times: number[] = []
  for (let had = 0; had < DRAINED; await pause(20)) {
    if ((times.at(-1) ?? 0) - (times[0] ?? 0) > DRAIN_MS_MAX) throw new Error(`only ${had} events were delivered`)
    had = (await receivers.counts()).healthy - start
    if (had > 0) times.push(performance.now())
    bar(`deliveries that wait, ${name}, to ${count}`, Math.min(1, had / DRAINED))
  }
  await untilDelivered(database)
  const after = processorOf(running)
  return {
    label: `${name}, ${DRAINED.toLocaleString('en')} events to ${count}`,
    perSecond: (DRAINED / ((times.at(-1) ?? NaN) - (times[0] ?? NaN))) * 1000,
    processorMicroseconds: ((after.all - before.all) / DRAINED) * 1e6,
    mainThreadMicroseconds: ((after.main - before.main) / DRAINED) * 1e6,
  }
}

function eventAbout(page: string, subscriptionId: string): FormedEvent {
  return {
    id: randomUUID(),
    timestamp: new Date().toISOString(),
    workspace_id: exampleWorkspace.workspace.id,
    workspace_name: exampleWorkspace.workspace.name,
    subscription_id: subscriptionId,
    integration_id: exampleWorkspace.connection.id,
    authors: [{ id: exampleWorkspace.people[0].id, type: 'person' }],
    api_version: newestRelease,
    type: 'page.created',
    entity: { id: page, type: 'page' },
    data: { parent: { id: exampleWorkspace.workspace.id, type: 'space' } },
  }
}
