import type { Engine } from './databases/engine.ts'
import type { PreparedRows, PreparedTitles } from './databases/prepare.ts'
import type { Load } from './load/load.ts'
import type { Machine } from './machine.ts'
import { measureDisk } from './measures/disk.ts'
import { measureDeliveries } from './measures/deliveries.ts'
import { measureEdits } from './measures/edits.ts'
import { runEvents } from './measures/events.ts'
import { measureKit } from './measures/kit.ts'
import { measureMock } from './measures/mock.ts'
import { measureMarkdown } from './measures/markdown.ts'
import { seriesOf, serviceRequests, type BenchOperation } from './measures/operations.ts'
import { measurePeers } from './measures/peers.ts'
import { runQueries } from './measures/queries.ts'
import { runSearches } from './measures/search.ts'
import { runSeries, type Bounds, type SeriesFigures } from './measures/series.ts'
import { measureSoak } from './measures/soak.ts'
import { startersOf } from './measures/starters.ts'
import { runStarts } from './measures/starts.ts'
import { measureStreams } from './measures/streams.ts'
import { measureValidation } from './measures/validation.ts'
import { measureWorkers } from './measures/workers.ts'
import type { Options } from './options.ts'
import type { Results } from './results.ts'
import type { BenchSubject } from './subjects/subject.ts'

const CONNECTIONS = 16

/** Writes are also limited by number, so that a database of a thousand blocks stays small. */
const REQUESTS_MAX: Readonly<Record<BenchOperation, number>> = {
  get: 100_000,
  page: 100_000,
  list: 10_000,
  deep: 100_000,
  patch: 3_000,
  create: 500,
  append: 100,
}

const FULL = { rounds: 7, deliveryRounds: 5, starts: 5, millisecondsMax: 1_000, warmingMillisecondsMax: 6_000, share: 1 }
const QUICK = { rounds: 3, deliveryRounds: 2, starts: 2, millisecondsMax: 300, warmingMillisecondsMax: 600, share: 0.3 }

function eventsMax({ share }: typeof FULL): number {
  return Math.ceil(REQUESTS_MAX.patch * share)
}

/** Runs the requested measures, one after the other. */
export async function runMeasures(
  subjects: readonly BenchSubject[],
  titles: readonly PreparedTitles[],
  rows: readonly PreparedRows[],
  options: Options,
  machine: Machine,
  load: Load,
  engines: readonly Engine[],
): Promise<Results> {
  const size = options.quick ? QUICK : FULL
  const wants = (name: Options['measures'][number]): boolean => options.measures.includes(name)
  const series: Partial<Record<BenchOperation, readonly SeriesFigures[]>> = {}
  for (const operation of Object.keys(serviceRequests) as BenchOperation[]) {
    if (!wants(operation)) continue
    const requestsMax = Math.ceil(REQUESTS_MAX[operation] * size.share)
    const bounds: Bounds = { ...size, connections: CONNECTIONS, requestsMax }
    series[operation] = await runSeries(operation, seriesOf(operation, subjects, requestsMax), bounds, load)
  }
  const searches = wants('search') ? await runSearches(titles, size, load) : []
  const queries = wants('query') ? await runQueries(rows, size, load) : undefined
  const events = wants('events') ? await runEvents(subjects, { ...size, connections: CONNECTIONS }, eventsMax(size), load) : []
  const deliveries = wants('deliveries') ? await measureDeliveries(engines, size, load, options.profile) : undefined
  const memory = wants('memory')
    ? subjects.map(({ name, running }) => ({ label: name, residentBytes: running.figures().residentBytes }))
    : []
  const starts = wants('start') || wants('first') ? await runStarts(startersOf(subjects), size.starts, wants('first'), load) : []
  const streams = wants('streams') ? await measureStreams() : undefined
  const markdown = wants('markdown') ? measureMarkdown(size.rounds) : undefined
  const edits = wants('markdown') ? await measureEdits(engines, size.rounds) : []
  const kit = wants('kit') ? await measureKit(size.rounds) : undefined
  const mock = wants('mock') ? await measureMock(size.starts) : undefined
  const disk = wants('disk') ? await measureDisk(engines) : []
  const workers = wants('workers') ? await measureWorkers(engines, size, load) : []
  const sqlite = engines.find(({ name }) => name === 'sqlite')
  const peers = wants('peers') ? await measurePeers(sqlite, size, load) : undefined
  const validation = wants('validate') ? measureValidation(size.rounds) : undefined
  const soaks = wants('soak') ? await measureSoak(engines, options.minutes) : []
  const alone = { streams, markdown, edits, kit, mock, disk, workers, peers, validation, soaks }
  return { machine, quick: options.quick, series, searches, queries, events, deliveries, starts, ...alone, memory }
}
