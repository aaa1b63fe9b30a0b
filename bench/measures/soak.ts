import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorkspaceClient, type WorkspaceClient } from '../../client/src/index.ts'
import { parseConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/store/open.ts'
import { TOKEN } from '../databases/api.ts'
import type { Engine } from '../databases/engine.ts'
import { cacheFolder } from '../databases/prepare.ts'
import { replaceSubscriptions } from '../databases/subscriptions.ts'
import { launch, type Running } from '../processes/launch.ts'
import { bar } from '../progress.ts'
import { startReceivers } from '../receivers/receivers.ts'
import { quantile } from '../statistics.ts'
import { serviceLaunch } from '../subjects/service.ts'
import { soakSteps, type SoakStep } from './soak_steps.ts'

/** The state of the service at one time, and its activity since the previous sample. */
export interface SoakSample {
  readonly minute: number
  readonly residentBytes: number
  readonly heapBytes: number
  /** Memory of buffers, outside the heap. */
  readonly externalBytes: number
  /** Open files and connections. */
  readonly handles: number
  /** Active timers, sockets and system requests, as the runtime counts them. */
  readonly resources: number
  readonly threads: number
  readonly succeeded: number
  readonly failed: number
  readonly p50: number
  readonly p99: number
}

export interface SoakFigures {
  readonly label: string
  readonly minutes: number
  readonly samples: readonly SoakSample[]
  /** Handles at rest before and after the load. */
  readonly handlesAtRest: readonly [before: number, after: number]
  readonly delivered: number
  /** Messages of the first failures. */
  readonly failures: readonly string[]
}

const SAMPLES = 20
const SAMPLE_MS_MAX = 60_000
const FAILURES_KEPT = 5
/** Longer than the service keeps an idle connection open. */
const REST_MS = 80_000
const REST_PAUSE_MS = 500

/** Counts of completed and failed calls since the last reading. */
class Tally {
  #latencies: number[] = []
  #failed = 0
  readonly failures: string[] = []

  async time({ name, run }: SoakStep, service: WorkspaceClient, count: number): Promise<void> {
    const start = performance.now()
    try {
      await run(service, count)
      this.#latencies.push(performance.now() - start)
    } catch (error) {
      this.#failed += 1
      if (this.failures.length < FAILURES_KEPT) this.failures.push(`${name}: ${String(error)}`)
    }
  }

  take(): Pick<SoakSample, 'succeeded' | 'failed' | 'p50' | 'p99'> {
    const [sorted, failed] = [this.#latencies.toSorted((a, b) => a - b), this.#failed]
    this.#latencies = []
    this.#failed = 0
    const at = (share: number): number => (sorted.length === 0 ? NaN : quantile(sorted, share))
    return { succeeded: sorted.length, failed, p50: at(0.5), p99: at(0.99) }
  }
}

/** Runs one process of the service at a limited rate for some minutes, on each engine, and samples it regularly. */
export async function measureSoak(engines: readonly Engine[], minutes: number): Promise<SoakFigures[]> {
  const receivers = await startReceivers(cacheFolder)
  try {
    const figures: SoakFigures[] = []
    for (const engine of engines) {
      const url = await engine.create('soak')
      const how = serviceLaunch(url)
      const running = await launch({
        ...how,
        environment: (port) => ({
          ...how.environment?.(port),
          BOOTSTRAP_SAMPLE: 'true',
          FILES_URL: `file:${cacheFolder}/soak-files-${process.pid}`,
          WEBHOOK_PRIVATE_HOSTS: 'localhost',
          NODE_EXTRA_CA_CERTS: receivers.certFile,
        }),
      })
      try {
        await subscribe(url, receivers.url('healthy'))
        const soaked = await soak(running, engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL', minutes)
        figures.push({ ...soaked, delivered: (await receivers.counts()).healthy })
      } finally {
        await running.stop()
      }
    }
    return figures
  } finally {
    receivers.stop()
  }
}

async function subscribe(databaseUrl: string, url: string): Promise<void> {
  const database = openDatabase(parseConfig({ DATABASE_URL: databaseUrl }).database)
  await replaceSubscriptions(database, [{ eventTypes: ['comment.created'], url }])
  await database.close()
}

async function soak(running: Running, label: string, minutes: number): Promise<Omit<SoakFigures, 'delivered'>> {
  const service = createWorkspaceClient({ baseUrl: running.url, token: TOKEN, retries: 0 })
  const tally = new Tally()
  // Every step runs once before the first sample, so that lazily started threads and opened files are counted in it.
  for (const step of soakSteps) await tally.time(step, service, 0)
  tally.take()
  await pause(REST_MS)
  const before = handlesOf(running)
  const stop = keepDoing(service, tally)
  const samples: SoakSample[] = []
  const [start, length] = [performance.now(), minutes * 60_000]
  const step = Math.min(SAMPLE_MS_MAX, length / SAMPLES)
  for (let at = step; at <= length + 1; at += step) {
    await pause(start + at - performance.now())
    samples.push({ minute: at / 60_000, ...(await stateOf(running)), ...tally.take() })
    bar(`soak, ${label}`, Math.min(1, at / length))
  }
  await stop()
  const after = await restingHandles(running, before)
  return { label, minutes, samples, handlesAtRest: [before, after], failures: tally.failures }
}

/** Repeats every step at its rate. @returns a function that stops it and waits for open requests */
function keepDoing(service: WorkspaceClient, tally: Tally): () => Promise<void> {
  const open = new Set<Promise<void>>()
  const timers = soakSteps.map((step) => {
    let count = 0
    return setInterval(() => {
      const done = tally.time(step, service, (count += 1)).finally(() => open.delete(done))
      open.add(done)
    }, 1000 / step.perSecond)
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(open)
  }
}

async function stateOf(running: Running): Promise<Omit<SoakSample, 'minute' | 'succeeded' | 'failed' | 'p50' | 'p99'>> {
  const metrics = await (await fetch(`${running.url}/metrics`)).text()
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  return {
    residentBytes: running.figures().residentBytes,
    heapBytes: metric('nodejs_heap_size_used_bytes'),
    externalBytes: metric('nodejs_external_memory_bytes'),
    handles: handlesOf(running),
    resources: metric('nodejs_active_resources_total'),
    threads: entriesOf(running, 'task'),
  }
}

const handlesOf = (running: Running): number => entriesOf(running, 'fd')

/** Works on Linux only: NaN elsewhere. */
function entriesOf({ pid }: Running, what: 'fd' | 'task'): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/${what}`).length : NaN
}

/** The lowest number of handles within a time limit without load. Returns early once it is as low as wanted. */
async function restingHandles(running: Running, wanted: number): Promise<number> {
  let fewest = Infinity
  for (const end = performance.now() + REST_MS; performance.now() < end; await pause(REST_PAUSE_MS)) {
    fewest = Math.min(fewest, handlesOf(running))
    if (fewest <= wanted) return fewest
  }
  return fewest
}
