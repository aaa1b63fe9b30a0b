import { headers, nextCursor } from '../databases/api.ts'
import type { PreparedRows } from '../databases/prepare.ts'
import type { WireRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import { launch } from '../processes/launch.ts'
import { step } from '../progress.ts'
import { serviceLaunch } from '../subjects/service.ts'
import { measureWaits, type WaitFigures } from './waits.ts'
import { runSeries, type Bounds, type Series, type SeriesFigures } from './series.ts'

/** A filter that matches a tenth of the rows, and a second one that halves these, sorted by a third property. */
const FILTERED = {
  filter: {
    and: [
      { property: 'Stage', select: { equals: 'Stage 3' } },
      { property: 'Hours', number: { greater_than_or_equal_to: 50 } },
    ],
  },
  sorts: [{ property: 'Due', direction: 'descending' }],
}
const SORTED = { sorts: FILTERED.sorts }
const TWO_SORTS = {
  sorts: [
    { property: 'Stage', direction: 'ascending' },
    { property: 'Hours', direction: 'descending' },
  ],
}
/** A query returns at most 10,000 rows: five hundred pages of this size. */
const PAGE_OF_MANY = 20
const PAGES = 500
const REQUESTS = 50

/** Queries that examine every row. Some of these queries examine rows several times. */
const LONG: Readonly<Record<string, object>> = {
  'nothing matches': { filter: { property: 'Note', rich_text: { contains: 'zebra' } } },
  'two sorts': TWO_SORTS,
  'a hundred conditions': {
    filter: { and: Array.from({ length: 100 }, (_, index) => ({ property: 'Hours', number: { less_than: 40 + (index % 50) } })) },
  },
  'a thousand conditions': {
    filter: {
      or: Array.from({ length: 10 }, () => ({
        and: Array.from({ length: 100 }, (_, index) => ({ property: 'Hours', number: { greater_than: 50 + index } })),
      })),
    },
    page_size: 1,
  },
}

/** The figures of one data source. */
export interface QueryFigures {
  readonly series: readonly SeriesFigures[]
  /** Waiting times of other requests while a query is running. */
  readonly waits: readonly WaitFigures[]
  /** Bytes that the engine writes for one change of a row with six columns, relative to one of a plain page. */
  readonly writeAmplification: readonly { readonly label: string; readonly ratio: number }[]
}

export const FIRST_PAGE = 'two filters, one sort, first 100'
export const GROUPS = 'two sorts, first 100'
export const PAGE_1 = 'one sort, page 1 of 20'
export const PAGE_500 = 'one sort, page 500 of 20'

/** Uses one caller and one connection. */
export async function runQueries(
  databases: readonly PreparedRows[],
  size: Pick<Bounds, 'rounds' | 'millisecondsMax' | 'warmingMillisecondsMax'>,
  load: Load,
): Promise<QueryFigures> {
  const figures: SeriesFigures[] = []
  const writeAmplification: { label: string; ratio: number }[] = []
  const waits: WaitFigures[] = []
  for (const { engine, rows, url, sample } of databases) {
    const name = `${engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${rows >= 1_000_000 ? '1 M' : `${rows / 1_000} k`} rows`
    const how = serviceLaunch(url)
    const subject = { name, kind: 'service', launch: how, running: await launch(how) } as const
    try {
      const path = `/v1/data_sources/${sample.dataSourceId}/query`
      const cursor = await cursorOfPage(subject.running.url, path)
      const bodies: Record<string, object> = {
        [FIRST_PAGE]: FILTERED,
        'no filter, first 100': {},
        [GROUPS]: TWO_SORTS,
        [PAGE_1]: { ...SORTED, page_size: PAGE_OF_MANY },
        [PAGE_500]: { ...SORTED, page_size: PAGE_OF_MANY, start_cursor: cursor },
      }
      const series = Object.entries(bodies).map(([label, body]): Series => ({
        subject,
        label: `${name}: ${label}`,
        requests: () => Array.from({ length: REQUESTS }, () => request('POST', path, body)),
      }))
      figures.push(...(await runSeries(`queries, ${name}`, series, { ...size, connections: 1, requestsMax: REQUESTS }, load)))
      for (const [label, body] of Object.entries(LONG)) {
        step(`waiting beside a query, ${name}: ${label}`)
        const text = JSON.stringify(body)
        waits.push(await measureWaits(subject.running.url, `${name}: ${label}`, () => query(subject.running.url, path, text)))
      }
      const written = async (changes: readonly WireRequest[]): Promise<number> => {
        const before = await engine.bytesWritten(url)
        for (const { path: target, body } of changes) await send(subject.running.url, target, body ?? '')
        return (await engine.bytesWritten(url)) - before
      }
      const titles = sample.pages.map((id, turn) => request('PATCH', `/v1/pages/${id}`, titleOf(turn)))
      const values = sample.rows.map((id, turn) =>
        request('PATCH', `/v1/pages/${id}`, { properties: { Hours: { number: turn } } }),
      )
      const [plain, row] = [await written(titles), await written(values)]
      writeAmplification.push({ label: name, ratio: row / plain })
    } finally {
      await subject.running.stop()
    }
  }
  return { series: figures, waits, writeAmplification }
}

function titleOf(turn: number): object {
  return { properties: { title: { title: [{ text: { content: `Note, changed ${turn}` } }] } } }
}

async function cursorOfPage(url: string, path: string): Promise<string> {
  let cursor: string | undefined
  for (let page = 1; page < PAGES; page += 1) {
    const body = { ...SORTED, page_size: PAGE_OF_MANY, ...(cursor === undefined ? {} : { start_cursor: cursor }) }
    cursor = await nextCursor(url, path, body)
  }
  return cursor ?? ''
}

async function send(url: string, path: string, body: string): Promise<void> {
  const response = await fetch(url + path, { method: 'PATCH', headers: { ...headers, 'Content-Type': 'application/json' }, body })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`PATCH ${path} returned ${response.status}`)
}

/** Sends one query and accepts any response: a query that takes too long gets an error. */
async function query(url: string, path: string, body: string): Promise<void> {
  const response = await fetch(url + path, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body })
  await response.arrayBuffer()
}

function request(method: WireRequest['method'], path: string, body: object): WireRequest {
  return { method, path, headers, body: JSON.stringify(body) }
}
