import { costGoals } from './cost_goals.ts'
import { goal, type Goal } from './goal.ts'
import type { Results } from './results.ts'
import { BAD_RECEIVERS, HEALTHY_RECEIVERS, STEADY, NO_RECEIVERS, type DeliveryFigures } from './measures/deliveries.ts'
import { A_ROW } from './measures/disk.ts'
import { EVERYTHING, NO_SUBSCRIPTION } from './measures/events.ts'
import { SHARED_ONE, type BenchOperation } from './measures/operations.ts'
import { FIRST_PAGE, GROUPS, PAGE_1, PAGE_500 } from './measures/queries.ts'
import type { SoakSample } from './measures/soak.ts'
import { growthOf, leftOpen } from './measures/soak_verdict.ts'
import { PACKAGE } from './measures/starters.ts'
import type { SeriesFigures } from './measures/series.ts'
import { median, pairedRatio } from './statistics.ts'
import { EXPRESS, EXPRESS_WITH, NODE_HTTP, PRISM } from './subjects/subject.ts'

const GET_TO_EXPRESS = 0.75
const GET_TO_PRISM = 50
/**
 * Minimum rates relative to handlers that read and write the same rows, by engine. The difference is the cost of validation, rights,
 * versions and presentation.
 */
const TO_ROWS: Readonly<Record<'SQLite' | 'PostgreSQL', Readonly<Partial<Record<BenchOperation, number>>>>> = {
  SQLite: { page: 0.7, list: 0.7, create: 0.6, append: 0.6 },
  PostgreSQL: { get: 0.7, page: 0.7, list: 0.7, patch: 0.5, create: 0.5, append: 0.5 },
}
const MILLION_TO_THOUSAND = 1.15
const LIST_MILLION_TO_THOUSAND = 1.25
const READY_SECONDS = 0.3
const READY_TO_NODE_HTTP = 4
const RESIDENT_MEGABYTES = 150
const FIRST_MILLISECONDS = 25
const MARKDOWN_MILLISECONDS = 300
const QUERY_MILLISECONDS = 12
const GROUPS_MILLISECONDS = 25
const QUERY_MILLION_MILLISECONDS = 30
const PAGE_500_TO_PAGE_1 = 1.5
const WRITE_RATIO = 3
const WAIT_MILLISECONDS = 50
const SEARCH_MILLISECONDS = 30
const SEARCH_SLOWEST_MILLISECONDS = 60
const FIRST_FRAME_MILLISECONDS = 50
const STREAMS_MEGABYTES = 300
const LISTENING_TO_NOBODY = 0.9
const DELIVERED_PER_SECOND = 1_000
const LATENCY_RATIO = 1.1
const EVENT_MICROSECONDS = 100
/** Half of the size that rows had when the goal was set. */
const ROW_KILOBYTES = 2.35
const MEMORY_GROWTH_PERCENT = 5
const LATENCY_GROWTH_PERCENT = 20
const KIT_READY_MILLISECONDS = 300
const KIT_WORKSPACE_MILLISECONDS = 5
const KIT_RESTORE_MILLISECONDS = 50
const MOCK_READY_MILLISECONDS = 3_000
const MOCK_MEGABYTES = 300

/** All goals for which this run has figures. */
export function judgeGoals(results: Results): Goal[] {
  return [
    ...throughputGoals(results),
    ...growthGoals(results),
    ...searchGoals(results),
    ...queryGoals(results),
    ...eventGoals(results),
    ...deliveryGoals(results),
    ...startGoals(results),
    ...memoryGoals(results),
    ...streamGoals(results),
    ...markdownGoals(results),
    ...kitGoals(results),
    ...mockGoals(results),
    ...diskGoals(results),
    ...costGoals(results),
    ...soakGoals(results),
  ]
}

function throughputGoals({ series }: Results): Goal[] {
  const get = (label: string): Goal[] => [
    ...ratioGoal(`GET block, ${label} : Express fixed JSON`, series['get'], label, EXPRESS, { atLeast: GET_TO_EXPRESS }),
    ...ratioGoal(`GET block, ${label} : Prism`, series['get'], label, PRISM, { atLeast: GET_TO_PRISM }),
  ]
  return [...get('SQLite 1 k'), ...rowGoals('SQLite', series), ...rowGoals('PostgreSQL', series)]
}

/** The rates of the service relative to handlers on the same tables. */
function rowGoals(engine: keyof typeof TO_ROWS, series: Results['series']): Goal[] {
  return Object.entries(TO_ROWS[engine]).flatMap(([operation, atLeast]) => {
    const [service, baseline] = [`${engine} 1 k`, EXPRESS_WITH + engine]
    return ratioGoal(`${operation}, ${service} : ${baseline}`, series[operation as BenchOperation], service, baseline, {
      atLeast,
    })
  })
}

/** Cost at a million blocks relative to the cost at a thousand, for every operation on both engines. */
function growthGoals({ series }: Results): Goal[] {
  return Object.entries(series).flatMap(([operation, figures]) =>
    ['SQLite', 'PostgreSQL'].flatMap((engine) => {
      const suffix = operation === 'deep' ? SHARED_ONE : ''
      return ratioGoal(
        `${operation}, ${engine}: cost at 1 M : at 1 k`,
        figures,
        `${engine} 1 k${suffix}`,
        `${engine} 1 M${suffix}`,
        { atMost: operation === 'list' ? LIST_MILLION_TO_THOUSAND : MILLION_TO_THOUSAND },
      )
    }),
  )
}

function ratioGoal(
  text: string,
  figures: readonly SeriesFigures[] | undefined,
  over: string,
  under: string,
  wanted: Goal['wanted'],
): Goal[] {
  const [a, b] = [over, under].map((label) => figures?.find((entry) => entry.label === label)?.perSecond)
  const figure = a && b ? pairedRatio(a, b) : undefined
  return figure === undefined ? [] : [goal(text, figure, '×', wanted)]
}

/** The rate of writes with subscriptions, relative to writes without. */
function eventGoals({ events }: Results): Goal[] {
  const names = events.flatMap(({ label }) => (label.endsWith(NO_SUBSCRIPTION) ? label.slice(0, -NO_SUBSCRIPTION.length) : []))
  return names.flatMap((name) =>
    ratioGoal(`${name}${EVERYTHING} : ${NO_SUBSCRIPTION}`, events, name + EVERYTHING, name + NO_SUBSCRIPTION, {
      atLeast: LISTENING_TO_NOBODY,
    }),
  )
}

/** The rates of requests with events and with bad receivers, relative to those without, and the rate of deliveries. */
function deliveryGoals({ deliveries }: Results): Goal[] {
  const series = deliveries?.series ?? []
  const named = (label: string): DeliveryFigures | undefined => series.find((one) => one.label === label)
  return series
    .filter(({ label }) => label.endsWith(HEALTHY_RECEIVERS))
    .flatMap((withEvents) => {
      const name = withEvents.label.slice(0, -HEALTHY_RECEIVERS.length)
      const [withoutEvents, withBadOnes] = [named(name + NO_RECEIVERS), named(name + BAD_RECEIVERS)]
      if (!withoutEvents || !withBadOnes) return []
      const ratio = (text: string, a: DeliveryFigures, b: DeliveryFigures, of: keyof Omit<DeliveryFigures, 'label'>): Goal[] => {
        const figure = pairedRatio(a[of], b[of])
        const wanted = of === 'p50' || of === 'commentsP50' ? { atMost: LATENCY_RATIO } : { atLeast: LISTENING_TO_NOBODY }
        return figure === undefined ? [] : [goal(`${name}${text}`, figure, '×', wanted)]
      }
      const steady = [
        ...ratio('median wait of reads with events : without', withEvents, withoutEvents, 'p50'),
        ...ratio('median wait of comments with events : without', withEvents, withoutEvents, 'commentsP50'),
        goal(`${name}main thread, an event`, mainThreadMicroseconds(withEvents, withoutEvents), 'µs', {
          atMost: EVENT_MICROSECONDS,
        }),
      ]
      return [
        ...(name.includes(STEADY) ? steady : ratio('reads with events : without', withEvents, withoutEvents, 'perSecond')),
        ...ratio('delivered with bad receivers : without', withBadOnes, withEvents, 'deliveredPerSecond'),
        ...(name.startsWith('SQLite')
          ? [goal(`${name}delivered`, median(withEvents.deliveredPerSecond), '/s', { atLeast: DELIVERED_PER_SECOND })]
          : []),
      ]
    })
}

/**
 * Processor time of the main thread for recording, rendering and delivering an event: the difference between rounds with and without
 * events.
 */
function mainThreadMicroseconds(withEvents: DeliveryFigures, withoutEvents: DeliveryFigures): number {
  const costs = withEvents.mainThreadSecondsPerSecond.flatMap((seconds, round) => {
    const [without, delivered] = [withoutEvents.mainThreadSecondsPerSecond[round], withEvents.deliveredPerSecond[round]]
    return without === undefined || !delivered ? [] : [((seconds - without) / delivered) * 1e6]
  })
  return median(costs)
}

function startGoals({ starts }: Results): Goal[] {
  const [ready, baseline] = [PACKAGE, NODE_HTTP].map((label) => starts.find((one) => one.label === label))
  const ratio = ready && baseline && pairedRatio(ready.processorMilliseconds, baseline.processorMilliseconds)
  return [
    ...(ready ? [goal(`ready, ${PACKAGE}`, median(ready.milliseconds) / 1000, 's', { atMost: READY_SECONDS })] : []),
    ...(ratio === undefined
      ? []
      : [goal(`processor time until ready, ${PACKAGE} : node:http`, ratio, '×', { atMost: READY_TO_NODE_HTTP })]),
    ...starts.flatMap(({ label, first }) => {
      const slowest = Math.max(...Object.values(first).map((lists) => median(lists.first)))
      const isService = label.startsWith('SQLite') || label.startsWith('PostgreSQL')
      return isService && Number.isFinite(slowest)
        ? [goal(`slowest first response, ${label}`, slowest, 'ms', { atMost: FIRST_MILLISECONDS })]
        : []
    }),
  ]
}

function searchGoals({ searches }: Results): Goal[] {
  return searches
    .filter(({ label }) => label.includes('1 M'))
    .flatMap(({ label, p50, p99 }) => [
      goal(`search, ${label}`, median(p50), 'ms', { atMost: SEARCH_MILLISECONDS }),
      goal(`search, ${label}, slowest of a hundred`, median(p99), 'ms', { atMost: SEARCH_SLOWEST_MILLISECONDS }),
    ])
}

function queryGoals({ queries }: Results): Goal[] {
  if (!queries) return []
  const { series, waits, writeAmplification } = queries
  const first = series.filter(({ label }) => label.endsWith(FIRST_PAGE))
  return [
    ...first.map(({ label, p50 }) =>
      goal(label, median(p50), 'ms', { atMost: label.includes('1 M') ? QUERY_MILLION_MILLISECONDS : QUERY_MILLISECONDS }),
    ),
    ...series
      .filter(({ label }) => label.endsWith(GROUPS))
      .map(({ label, p50 }) =>
        goal(label, median(p50), 'ms', { atMost: label.includes('1 M') ? QUERY_MILLION_MILLISECONDS : GROUPS_MILLISECONDS }),
      ),
    ...first.flatMap(({ label }) => {
      const name = label.slice(0, -FIRST_PAGE.length)
      return ratioGoal(`${name}page 500 : page 1`, series, name + PAGE_1, name + PAGE_500, { atMost: PAGE_500_TO_PAGE_1 })
    }),
    // The quietest round counts, because other work on the machine slows all of them down.
    ...waits.map(({ label, longest }) =>
      goal(`${label}: longest wait of others`, Math.min(...longest), 'ms', { atMost: WAIT_MILLISECONDS }),
    ),
    ...writeAmplification.map(({ label, ratio }) =>
      goal(`${label}: bytes of a change, row : page`, ratio, '×', { atMost: WRITE_RATIO }),
    ),
  ]
}

function streamGoals({ streams }: Results): Goal[] {
  if (!streams) return []
  const { open, firstFrame, residentBytes } = streams
  return [
    goal(`first frame of a stream, beside up to ${open} others`, median(firstFrame), 'ms', { atMost: FIRST_FRAME_MILLISECONDS }),
    goal(`memory with ${open} open streams`, residentBytes / 1e6, 'MB', { atMost: STREAMS_MEGABYTES }),
  ]
}

function memoryGoals({ memory }: Results): Goal[] {
  return memory
    .filter(({ label }) => label.startsWith('SQLite'))
    .map(({ label, residentBytes }) =>
      goal(`memory after load, ${label}`, residentBytes / 1e6, 'MB', { atMost: RESIDENT_MEGABYTES }),
    )
}

function markdownGoals({ markdown }: Results): Goal[] {
  if (!markdown) return []
  const wanted = { atMost: MARKDOWN_MILLISECONDS }
  return [
    goal('1 MB of Markdown to blocks', median(markdown.read), 'ms', wanted),
    goal('blocks to 1 MB of Markdown', median(markdown.write), 'ms', wanted),
  ]
}

function kitGoals({ kit }: Results): Goal[] {
  if (!kit) return []
  const { blocks, ready, workspace, restore } = kit
  return [
    goal('test server, ready', median(ready), 'ms', { atMost: KIT_READY_MILLISECONDS }),
    goal('workspace of a test', median(workspace), 'ms', { atMost: KIT_WORKSPACE_MILLISECONDS }),
    goal(`restoring ${blocks} blocks`, median(restore), 'ms', { atMost: KIT_RESTORE_MILLISECONDS }),
  ]
}

function mockGoals({ mock }: Results): Goal[] {
  if (!mock) return []
  return [
    goal('mock, ready', median(mock.milliseconds), 'ms', { atMost: MOCK_READY_MILLISECONDS }),
    goal('memory of the mock in use', median(mock.usedBytes) / 1e6, 'MB', { atMost: MOCK_MEGABYTES }),
  ]
}

function diskGoals({ disk }: Results): Goal[] {
  return disk
    .filter(({ label }) => label.endsWith(A_ROW))
    .map(({ label, bytesOfOne }) => goal(label, bytesOfOne / 1000, 'KB', { atMost: ROW_KILOBYTES }))
}

/** Daily growth in production shows as growth over the second half of a soak. */
function soakGoals({ soaks }: Results): Goal[] {
  return soaks.flatMap((soak) => {
    const failed = soak.samples.reduce((sum, sample) => sum + sample.failed, 0)
    const growth = (text: string, read: (sample: SoakSample) => number, atMost: number): Goal =>
      goal(`soak, ${soak.label}: ${text}, growth over the second half`, growthOf(soak.samples, read) * 100, '%', { atMost })
    return [
      growth('resident memory', ({ residentBytes }) => residentBytes, MEMORY_GROWTH_PERCENT),
      growth('median latency', ({ p50 }) => p50, LATENCY_GROWTH_PERCENT),
      goal(`soak, ${soak.label}: handles left open`, leftOpen(soak), '', { atMost: 0 }),
      goal(`soak, ${soak.label}: failed calls`, failed, '', { atMost: 0 }),
    ]
  })
}
