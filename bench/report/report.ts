import type { Goal } from '../goal.ts'
import { CONTROL, HEALTHY_RECEIVERS, NO_RECEIVERS, type DeliveryFigures } from '../measures/deliveries.ts'
import { EDITED_BLOCKS } from '../measures/edits.ts'
import type { BenchOperation } from '../measures/operations.ts'
import type { SeriesFigures } from '../measures/series.ts'
import type { StartFigures } from '../measures/starts.ts'
import type { Results } from '../results.ts'
import { median, pairedRatio } from '../statistics.ts'
import { EXPRESS, EXPRESS_WITH } from '../subjects/subject.ts'
import { diskTable, soakTable } from './soak_table.ts'
import { editsTable, validationTable, workersTable } from './cost_tables.ts'
import { peersTable } from './peers_table.ts'
import { figure, table } from './table.ts'

const TITLES: Readonly<Record<BenchOperation, string>> = {
  get: 'Retrieve one block (others: a fixed JSON of the same size)',
  page: 'Retrieve a page',
  list: 'List 100 children',
  deep: 'Retrieve a block fifty levels down',
  patch: 'Change the text of a block',
  create: 'Create a page with one paragraph',
  append: 'Append 100 blocks (Express 5: parse the same body and send it back)',
}

export function report(results: Results, goals: readonly Goal[]): string {
  const parts = [
    ...Object.entries(TITLES).map(([operation, title]) =>
      section(title, seriesTable(results.series[operation as BenchOperation])),
    ),
    section('Search by title, the first page, one connection', seriesTable(results.searches)),
    section('Queries of one data source, one connection', seriesTable(results.queries?.series)),
    section('Longest wait of other requests while a query is running (ms, by round)', waitsTable(results)),
    section('Bytes written for one change of a row with six columns : of a plain page', writesTable(results)),
    section('Writes with and without subscriptions', eventsTable(results)),
    section('Comments whose events are sent, and reads at the same time', deliveriesTable(results)),
    section('What of that the events themselves cost', controlTable(results)),
    section('Delivery of waiting events', drainsTable(results)),
    section('From the start of the process to its first response', startTable(results.starts)),
    section('First responses of a fresh process, and the median later (one connection, ms)', firstTable(results.starts)),
    section('Resident memory after all load', memoryTable(results)),
    section('Open event streams of one process', streamsTable(results)),
    section('Markdown of one page, in both directions', markdownTable(results)),
    section(`Changes of a page of ${EDITED_BLOCKS} blocks by its Markdown`, editsTable(results)),
    section('Test kit, in the process of a test (ms)', kitTable(results)),
    section('Mock', mockTable(results)),
    section('Bytes on the disk, with indexes', diskTable(results)),
    section(
      'One process and two workers, requests of different workspaces (processor time of a request in µs)',
      workersTable(results),
    ),
    section('The body that appends 100 blocks, in this process', validationTable(results)),
    section('Other servers, in turns with this one', peersTable(results)),
    ...results.soaks.map((soak) => section(`Soak of ${soak.minutes} minutes, ${soak.label}`, soakTable(soak))),
    section('Goals', goalTable(goals)),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function section(title: string, text: string): string {
  return text === '' ? '' : `${title}\n\n${text}`
}

function seriesTable(series: readonly SeriesFigures[] | undefined): string {
  if (!series || series.length === 0) return ''
  const base =
    series.find(({ label }) => label === EXPRESS) ?? series.find(({ label }) => label.startsWith(EXPRESS_WITH)) ?? series[0]
  const rows = series.map(({ label, perSecond, p50, p99, processorMicroseconds }) => {
    const ratio = base && pairedRatio(perSecond, base.perSecond)
    return [
      label,
      figure(median(perSecond)),
      figure(median(p50)),
      figure(median(p99)),
      processorMicroseconds.length > 0 ? figure(median(processorMicroseconds)) : '–',
      ratio === undefined ? '–' : figure(ratio),
    ]
  })
  return table(['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', `: ${base?.label ?? ''}`], rows)
}

/** Each series relative to the writes without subscriptions. */
function eventsTable({ events }: Results): string {
  const groups = Map.groupBy(events, ({ label }) => label.slice(0, label.indexOf(':')))
  return [...groups.values()].map(seriesTable).join('\n\n')
}

function deliveriesTable({ deliveries }: Results): string {
  if (!deliveries) return ''
  const head = [
    '',
    'reads/s',
    'p50 ms',
    'p99 ms',
    'comments/s',
    'p50 ms',
    'delivered/s',
    'CPU s/s',
    'main thread s/s',
    'beside s/s',
  ]
  const rows = deliveries.series.map((one) => [
    one.label,
    ...[one.perSecond, one.p50, one.p99, one.commentsPerSecond, one.commentsP50, one.deliveredPerSecond]
      .concat([one.processorSecondsPerSecond, one.mainThreadSecondsPerSecond, one.besideSecondsPerSecond])
      .map((values) => figure(median(values))),
  ])
  return table(head, rows)
}

/** Reads with events, relative to reads without, and to reads beside a process that uses as much of the other processor. */
function controlTable({ deliveries }: Results): string {
  if (!deliveries) return ''
  const named = Map.groupBy(deliveries.series, ({ label }) => label.slice(0, label.lastIndexOf(': ')))
  const rows = [...named].flatMap(([name, series]) => {
    const [withEvents, control, withoutEvents] = [HEALTHY_RECEIVERS, CONTROL, NO_RECEIVERS].map((audience) =>
      series.find(({ label }) => label === `${name}: ${audience}`),
    )
    if (!withEvents || !control || !withoutEvents) return []
    const row = (text: string, a: DeliveryFigures, b: DeliveryFigures): string[] => [
      `${name}, ${text}`,
      ...(['perSecond', 'p50', 'commentsP50'] as const).map((of) => ratioOf(a[of], b[of])),
    ]
    return [
      row('events : control', withEvents, control),
      row('events : without', withEvents, withoutEvents),
      row('control : without', control, withoutEvents),
    ]
  })
  return table(['', 'reads/s', 'p50', 'p50 of comments'], rows)
}

function ratioOf(a: readonly number[], b: readonly number[]): string {
  const ratio = pairedRatio(a, b)
  return ratio === undefined ? '–' : figure(ratio)
}

function drainsTable({ deliveries }: Results): string {
  if (!deliveries) return ''
  const rows = deliveries.drains.map(({ label, perSecond, processorMicroseconds, mainThreadMicroseconds }) => [
    label,
    figure(perSecond),
    figure(processorMicroseconds),
    figure(mainThreadMicroseconds),
  ])
  return table(['', 'delivered/s', 'CPU µs', 'main thread µs'], rows)
}

function waitsTable({ queries }: Results): string {
  if (!queries) return ''
  const rounds = Math.max(0, ...queries.waits.map(({ longest }) => longest.length))
  return table(
    ['', ...Array.from({ length: rounds }, (_, index) => String(index + 1))],
    queries.waits.map(({ label, longest }) => [label, ...longest.map(figure)]),
  )
}

function writesTable({ queries }: Results): string {
  if (!queries) return ''
  return table(
    ['', 'ratio'],
    queries.writeAmplification.map(({ label, ratio }) => [label, figure(ratio)]),
  )
}

function markdownTable({ markdown }: Results): string {
  if (!markdown) return ''
  const row = (label: string, milliseconds: readonly number[]): string[] => [
    label,
    figure(markdown.megabytes),
    figure(markdown.blocks),
    figure(median(milliseconds)),
    figure(Math.max(...milliseconds)),
  ]
  return table(['', 'MB', 'blocks', 'median CPU ms', 'slowest'], [row('read', markdown.read), row('write', markdown.write)])
}

function kitTable({ kit }: Results): string {
  if (!kit) return ''
  const row = (label: string, milliseconds: readonly number[]): string[] => [
    label,
    figure(median(milliseconds)),
    figure(Math.min(...milliseconds)),
    figure(Math.max(...milliseconds)),
  ]
  return table(
    ['', 'median', 'fastest', 'slowest'],
    [
      row('ready', kit.ready),
      row('workspace', kit.workspace),
      row(`snapshot of ${kit.blocks} blocks`, kit.snapshot),
      row('restore, and the first response', kit.restore),
      row('retrieve a page in memory', kit.inMemory),
      row('retrieve a page by the port', kit.bySocket),
    ],
  )
}

function mockTable({ mock }: Results): string {
  if (!mock) return ''
  const row = (label: string, figures: readonly number[]): string[] => [
    label,
    figure(median(figures)),
    figure(Math.min(...figures)),
    figure(Math.max(...figures)),
  ]
  const megabytes = (bytes: readonly number[]): number[] => bytes.map((one) => one / 1e6)
  return table(
    ['', 'median', 'least', 'most'],
    [
      row('ready after, ms', mock.milliseconds),
      ...(mock.processorMilliseconds.length > 0 ? [row('processor time until then, ms', mock.processorMilliseconds)] : []),
      row('memory when ready, MB', megabytes(mock.residentBytes)),
      row('memory in use, MB', megabytes(mock.usedBytes)),
    ],
  )
}

function startTable(starts: readonly StartFigures[]): string {
  if (starts.length === 0) return ''
  const rows = starts.map(({ label, milliseconds, processorMilliseconds, residentBytes }) => [
    label,
    figure(median(milliseconds)),
    figure(Math.min(...milliseconds)),
    figure(Math.max(...milliseconds)),
    figure(median(processorMilliseconds)),
    figure(median(residentBytes) / 1e6),
  ])
  return table(['', 'ready ms', 'best', 'worst', 'CPU ms', 'memory MB'], rows)
}

function firstTable(starts: readonly StartFigures[]): string {
  const rows = starts.flatMap(({ label, first }) =>
    Object.entries(first).map(([operation, lists]) => [
      `${label}, ${operation}`,
      figure(median(lists.first)),
      figure(median(lists.later)),
    ]),
  )
  return rows.length === 0 ? '' : table(['', 'first', 'later'], rows)
}

function streamsTable({ streams }: Results): string {
  if (!streams) return ''
  const { open, firstFrame, residentBytes } = streams
  const slowest = Math.max(...firstFrame)
  return table(
    ['open', 'first frame ms', 'slowest', 'memory MB'],
    [[String(open), figure(median(firstFrame)), figure(slowest), figure(residentBytes / 1e6)]],
  )
}

function memoryTable({ memory }: Results): string {
  return memory.length === 0
    ? ''
    : table(
        ['', 'MB'],
        memory.map(({ label, residentBytes }) => [label, figure(residentBytes / 1e6)]),
      )
}

function goalTable(goals: readonly Goal[]): string {
  if (goals.length === 0) return ''
  const rows = goals.map(({ text, figure: value, unit, wanted, met }) => [
    text,
    `${figure(value)} ${unit}`,
    'atLeast' in wanted ? `≥ ${wanted.atLeast}` : `≤ ${wanted.atMost}`,
    met ? 'met' : 'NOT MET',
  ])
  return table(['', 'figure', 'goal', ''], rows)
}
