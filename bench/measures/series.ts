import type { WireRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import { bar } from '../progress.ts'
import type { BenchSubject } from '../subjects/subject.ts'

/** One line of a table: a subject under one kind of request. */
export interface Series {
  readonly subject: Pick<BenchSubject, 'running'>
  readonly label: string
  /** Sets up the state of this series, which its load does not change. */
  before?(): Promise<void>
  /** Restores the state after all rounds. */
  after?(): Promise<void>
  /** @param round 0 is for warming up */
  requests(round: number): readonly WireRequest[]
}

export interface Bounds {
  readonly connections: number
  readonly rounds: number
  readonly requestsMax: number
  readonly millisecondsMax: number
  /** Replaces `millisecondsMax` in the warm-up round: the engine keeps optimizing for tens of thousands of requests. */
  readonly warmingMillisecondsMax: number
}

/** Figures by round; the same index is the same round in every series. */
export interface SeriesFigures {
  readonly label: string
  readonly perSecond: readonly number[]
  readonly p50: readonly number[]
  readonly p99: readonly number[]
  /** Processor time of the subject's own process for one request, in microseconds; empty if the system does not report it. */
  readonly processorMicroseconds: readonly number[]
}

/**
 * Runs every series once per round, so that noise affects all of them alike; each round starts with a different one. A warm-up round
 * before the first does not count.
 */
export async function runSeries(title: string, series: readonly Series[], bounds: Bounds, load: Load): Promise<SeriesFigures[]> {
  const figures = series.map(({ label }) => ({
    label,
    perSecond: [] as number[],
    p50: [] as number[],
    p99: [] as number[],
    processorMicroseconds: [] as number[],
  }))
  const total = (bounds.rounds + 1) * series.length
  let done = 0
  for (let round = 0; round <= bounds.rounds; round += 1) {
    for (let turn = 0; turn < series.length; turn += 1) {
      const location = (round + turn) % series.length
      const [one, kept] = [series[location], figures[location]]
      if (!one || !kept) continue
      await one.before?.()
      const processorBefore = one.subject.running.figures().processorSeconds
      const { url } = one.subject.running
      const result = await load.run({
        url,
        requests: one.requests(round),
        connections: bounds.connections,
        requestsMax: bounds.requestsMax,
        millisecondsMax: round === 0 ? bounds.warmingMillisecondsMax : bounds.millisecondsMax,
      })
      const processorAfter = one.subject.running.figures().processorSeconds
      bar(title, (done += 1) / total)
      if (round === 0) continue
      kept.perSecond.push((result.completed / result.milliseconds) * 1000)
      kept.p50.push(result.latencies.p50)
      kept.p99.push(result.latencies.p99)
      if (processorBefore !== undefined && processorAfter !== undefined) {
        kept.processorMicroseconds.push(((processorAfter - processorBefore) / result.completed) * 1_000_000)
      }
    }
  }
  for (const one of series) await one.after?.()
  return figures
}
