import type { Load } from '../load/load.ts'
import { launch, type Launch } from '../processes/launch.ts'
import { bar } from '../progress.ts'
import type { WireRequest } from '../load/job.ts'

/** A server that is started repeatedly. */
export interface Starter {
  readonly label: string
  launchOf(round: number): Promise<Launch> | Launch
  /** Sent once each in this order as soon as the server is ready, and then many times. */
  firstRequests(round: number): Readonly<Record<string, readonly WireRequest[]>>
}

export interface StartFigures {
  readonly label: string
  /** From the start of the process to its first response. */
  readonly milliseconds: readonly number[]
  /** Processor time of all threads until then. */
  readonly processorMilliseconds: readonly number[]
  readonly residentBytes: readonly number[]
  /** By operation: time of its first response, and its median later. */
  readonly first: Readonly<Record<string, { readonly first: readonly number[]; readonly later: readonly number[] }>>
}

const LATER_MILLISECONDS_MAX = 1_000

/**
 * Starts every server once a round, alternating.
 * @param measuresFirst whether first requests are measured too
 */
export async function runStarts(
  starters: readonly Starter[],
  rounds: number,
  measuresFirst: boolean,
  load: Load,
): Promise<StartFigures[]> {
  const figures = starters.map(({ label }) => ({
    label,
    milliseconds: [] as number[],
    processorMilliseconds: [] as number[],
    residentBytes: [] as number[],
    first: {} as Record<string, { first: number[]; later: number[] }>,
  }))
  // An additional first round fills the compile caches.
  for (let round = -1; round < rounds; round += 1) {
    for (const [location, starter] of starters.entries()) {
      const running = await launch(await starter.launchOf(round))
      const target = round < 0 ? undefined : figures[location]
      const { residentBytes, processorSeconds } = running.figures()
      target?.milliseconds.push(running.startMilliseconds)
      target?.processorMilliseconds.push((processorSeconds ?? NaN) * 1000)
      target?.residentBytes.push(residentBytes)
      try {
        if (measuresFirst && target) await measureFirst(running.url, starter.firstRequests(round), target.first, load)
      } finally {
        await running.stop()
      }
      bar('starting repeatedly', ((round + 1) * starters.length + location + 1) / ((rounds + 1) * starters.length))
    }
  }
  return figures
}

async function measureFirst(
  url: string,
  requests: Readonly<Record<string, readonly WireRequest[]>>,
  target: Record<string, { first: number[]; later: number[] }>,
  load: Load,
): Promise<void> {
  const bounds = { url, connections: 1, millisecondsMax: LATER_MILLISECONDS_MAX }
  for (const [name, [first, ...others]] of Object.entries(requests)) {
    if (first === undefined) continue
    const opening = await load.run({ ...bounds, requests: [first], requestsMax: 1 })
    const later = await load.run({ ...bounds, requests: others, requestsMax: others.length })
    const lists = (target[name] ??= { first: [], later: [] })
    lists.first.push(opening.latencies.first)
    lists.later.push(later.latencies.p50)
  }
}
