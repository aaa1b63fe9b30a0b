import { headersOf } from '../databases/api.ts'
import { newText } from '../databases/content.ts'
import type { Engine } from '../databases/engine.ts'
import { createWorkspaces, fillWorkspace, type BenchWorkspace } from '../databases/workspaces.ts'
import type { WireRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import { processorSecondsOfTree } from '../processes/figures.ts'
import { launch, type Running } from '../processes/launch.ts'
import { bar } from '../progress.ts'
import { median } from '../statistics.ts'
import { serviceLaunch } from '../subjects/service.ts'

/** Processor time of one request in microseconds, by round. */
export interface RequestCost {
  /** All processes of the service, with all their threads. */
  readonly service: number[]
  /** The thread that handles requests; only with a single process. */
  readonly mainThread: number[]
  /** Processes of the database. */
  readonly database: number[]
  /** Responses a second on this machine, with the load generator beside it. */
  readonly perSecond: number[]
}

/** Costs of the same requests for one process and for two workers. */
export interface WorkerFigures {
  readonly label: string
  readonly one: RequestCost
  readonly two: RequestCost
}

const CONNECTIONS = 16
/** As many as connections, so that writes rarely wait for each other. */
const WORKSPACES = 16
/** Rounds end by number, so that the engine compiles as much on a busy machine as on an idle one. */
const REQUESTS = 3_000
const WARMING_REQUESTS = 12_000
const ROUND_MS_MAX = 120_000

const OPERATIONS: Readonly<Record<string, (workspace: BenchWorkspace, turn: number) => WireRequest>> = {
  'retrieving a block': ({ token, blocks }, turn) => ({
    method: 'GET',
    path: `/v1/blocks/${blockOf(blocks, turn)}`,
    headers: headersOf(token),
  }),
  'changing a block': ({ token, blocks }, turn) => ({
    method: 'PATCH',
    path: `/v1/blocks/${blockOf(blocks, turn)}`,
    headers: headersOf(token),
    body: JSON.stringify(newText(`turn ${turn}`)),
  }),
}

/** Every third block is a paragraph. */
function blockOf(blocks: readonly string[], turn: number): string {
  return blocks[(turn * 3) % blocks.length] ?? ''
}

/** Requests to different workspaces, handled alternately by one process and by a primary with two workers on the same database. */
export async function measureWorkers(
  engines: readonly Engine[],
  size: { readonly rounds: number; readonly share: number },
  load: Load,
): Promise<WorkerFigures[]> {
  const figures: WorkerFigures[] = []
  for (const engine of engines) {
    const name = engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL'
    const url = await engine.create('workers')
    await (await launch(serviceLaunch(url))).stop()
    const tokens = await createWorkspaces(url, WORKSPACES)
    const services = [await launch(serviceLaunch(url)), await launch(serviceLaunch(url, { workers: 2 }))] as const
    try {
      const workspaces = await Promise.all(tokens.map((token) => fillWorkspace(services[0].url, token)))
      for (const [operation, requestOf] of Object.entries(OPERATIONS)) {
        const requests = (round: number): WireRequest[] =>
          Array.from({ length: WORKSPACES * 100 }, (_request, index) => {
            const workspace = workspaces[index % WORKSPACES]
            if (!workspace) throw new Error('no workspace to ask')
            return requestOf(workspace, round * 100 + Math.floor(index / WORKSPACES))
          })
        figures.push(await compare(`${name}, ${operation}`, services, { engine, requests, ...size, load }))
      }
    } finally {
      for (const service of services) await service.stop()
    }
  }
  return figures
}

interface Rounds {
  readonly engine: Engine
  readonly requests: (round: number) => WireRequest[]
  readonly rounds: number
  readonly share: number
  readonly load: Load
}

async function compare(label: string, services: readonly [Running, Running], how: Rounds): Promise<WorkerFigures> {
  const costs = [emptyCost(), emptyCost()] as const
  const total = (how.rounds + 1) * services.length
  for (let turn = 0; turn < total; turn += 1) {
    const round = Math.floor(turn / services.length)
    // Each service is first in every other round.
    const which = (turn + round) % services.length === 0 ? 0 : 1
    const running = services[which]
    const before = secondsOf(running, how.engine)
    const result = await how.load.run({
      url: running.url,
      requests: how.requests(round),
      connections: CONNECTIONS,
      requestsMax: Math.ceil((round === 0 ? WARMING_REQUESTS : REQUESTS) * how.share),
      millisecondsMax: ROUND_MS_MAX,
    })
    const after = secondsOf(running, how.engine)
    bar(label, (turn + 1) / total)
    // The first round warms up.
    if (round === 0) continue
    const cost = costs[which]
    for (const part of ['service', 'mainThread', 'database'] as const)
      cost[part].push(((after[part] - before[part]) / result.completed) * 1_000_000)
    cost.perSecond.push((result.completed / result.milliseconds) * 1000)
  }
  return { label, one: costs[0], two: costs[1] }
}

function emptyCost(): RequestCost {
  return { service: [], mainThread: [], database: [], perSecond: [] }
}

/** NaN if the system does not report it. */
function secondsOf({ pid, figures }: Running, engine: Engine): { service: number; mainThread: number; database: number } {
  return {
    service: processorSecondsOfTree(pid) ?? NaN,
    mainThread: figures().mainThreadSeconds ?? NaN,
    database: engine.processorSeconds() ?? NaN,
  }
}

/** Rates that follow from the costs for two cores. */
export interface WorkerRates {
  /** Requests a second of one process whose main thread fills one core. */
  readonly one: number
  /** Requests a second of two workers that fill two cores. */
  readonly two: number
}

/** Rates of two cores that only run the service: load and database are elsewhere. */
export function ratesOfService({ one, two }: WorkerFigures): WorkerRates {
  return { one: 1e6 / median(one.mainThread), two: 2e6 / median(two.service) }
}

/** Rates where the database shares the two cores. */
export function ratesWithDatabase({ one, two }: WorkerFigures): WorkerRates {
  const both = 2e6 / (median(one.service) + median(one.database))
  return { one: Math.min(1e6 / median(one.mainThread), both), two: 2e6 / (median(two.service) + median(two.database)) }
}
