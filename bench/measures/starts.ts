import type { Load } from '../load/load.ts'
import { launch, type Launch } from '../processes/launch.ts'
import { bar } from '../progress.ts'
import type { WireRequest } from '../load/job.ts'

/** A server that is started repeatedly. */
export interface Starter {
  readonly label: string
  launchOf(round: number): Promise<Launch> | Launch
  /** Sent once each as soon as the server is ready, in this order, and then many times. */
  firstRequests(round: number): Readonly<Record<string, readonly WireRequest[]>>
}

export interface StartFigures {
  readonly label: string
  /** From the start of the process to its first answer. */
  readonly milliseconds: readonly number[]
  /** Processor time until then, of all threads. */
  readonly processorMilliseconds: readonly number[]
  readonly residentBytes: readonly number[]
  /** By operation: how long its first answer took, and its median later on. */
  readonly first: Readonly<Record<string, { readonly first: readonly number[]; readonly later: readonly number[] }>>
}

const LATER_MILLISECONDS_MAX = 1_000

/** Starts every server once a round, in turns. @param asks whether first requests are measured too */
export async function runStarts(
  starters: readonly Starter[],
  rounds: number,
  asks: boolean,
  load: Load,
): Promise<StartFigures[]> {
  const figures = starters.map(({ label }) => ({
    label,
    milliseconds: [] as number[],
    processorMilliseconds: [] as number[],
    residentBytes: [] as number[],
    first: {} as Record<string, { first: number[]; later: number[] }>,
  }))
  // One more round comes first, after which the compiled code of each is kept.
  for (let round = -1; round < rounds; round += 1) {
    for (const [place, starter] of starters.entries()) {
      const running = await launch(await starter.launchOf(round))
      const kept = round < 0 ? undefined : figures[place]
      const { residentBytes, processorSeconds } = running.figures()
      kept?.milliseconds.push(running.startMilliseconds)
      kept?.processorMilliseconds.push((processorSeconds ?? NaN) * 1000)
      kept?.residentBytes.push(residentBytes)
      try {
        if (asks && kept) await askFirst(running.url, starter.firstRequests(round), kept.first, load)
      } finally {
        await running.stop()
      }
      bar('starting repeatedly', ((round + 1) * starters.length + place + 1) / ((rounds + 1) * starters.length))
    }
  }
  return figures
}

async function askFirst(
  url: string,
  requests: Readonly<Record<string, readonly WireRequest[]>>,
  kept: Record<string, { first: number[]; later: number[] }>,
  load: Load,
): Promise<void> {
  const bounds = { url, connections: 1, millisecondsMax: LATER_MILLISECONDS_MAX }
  for (const [name, [first, ...others]] of Object.entries(requests)) {
    if (first === undefined) continue
    const opening = await load.run({ ...bounds, requests: [first], requestsMax: 1 })
    const later = await load.run({ ...bounds, requests: others, requestsMax: others.length })
    const lists = (kept[name] ??= { first: [], later: [] })
    lists.first.push(opening.latencies.first)
    lists.later.push(later.latencies.p50)
  }
}
