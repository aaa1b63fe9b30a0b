import { headers } from '../databases/api.ts'
import { MILLION, type PreparedTitles } from '../databases/prepare.ts'
import type { TitleSample } from '../databases/titles.ts'
import type { WireRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import { launch } from '../processes/launch.ts'
import { serviceLaunch } from '../subjects/service.ts'
import { serviceName } from '../subjects/subject.ts'
import { runSeries, type Bounds, type SeriesFigures } from './series.ts'

/** The part of the workspace that the searching connection sees; undefined for all of it. */
const callers: Readonly<Record<string, (sample: TitleSample) => string | undefined>> = {
  'whole workspace': () => undefined,
  'a tenth of it': ({ largeTree }) => largeTree,
  'one small place': ({ smallTree }) => smallTree,
}

const relevance = { property: 'relevance' }

/** The search terms. See `titles.ts` for the titles. */
const queries: Readonly<Record<string, (count: number, turn: number) => object>> = {
  nothing: () => ({}),
  'a word of all': () => ({ query: 'survey' }),
  'a word of 5 %': () => ({ query: 'oak' }),
  'a word of 1 %, Chinese': () => ({ query: '安全' }),
  'a word of the oldest 1 %': () => ({ query: 'archived' }),
  'a word of one': (count, turn) => ({ query: String((turn * 7_919) % count) }),
  'a word of all, by relevance': () => ({ query: 'survey', sort: relevance }),
  'four words, by relevance': (count, turn) => ({ query: `Survey of hull ${(turn * 7_919) % count}`, sort: relevance }),
}

const REQUESTS = 50
/** Few, because each database has two dozen series. */
const ROUNDS_MAX = 3
const WARMING_MILLISECONDS_MAX = 1_000

/** One caller and one connection: the time that a person waits. */
export async function runSearches(
  databases: readonly PreparedTitles[],
  size: Pick<Bounds, 'rounds' | 'millisecondsMax' | 'warmingMillisecondsMax'>,
  load: Load,
): Promise<SeriesFigures[]> {
  const figures: SeriesFigures[] = []
  for (const { engine, pages, url, sample } of databases) {
    const name = serviceName({ engine, blocks: pages >= MILLION ? MILLION : pages })
    const how = serviceLaunch(url)
    const subject = { name, kind: 'service', launch: how, running: await launch(how) } as const
    try {
      for (const [caller, locationOf] of Object.entries(callers)) {
        await engine.share(url, locationOf(sample))
        const series = Object.entries(queries).map(([query, bodyOf]) => ({
          subject,
          label: `${name}, ${caller}: ${query}`,
          requests: (round: number) =>
            Array.from({ length: REQUESTS }, (_, turn) => post(bodyOf(pages, round * REQUESTS + turn))),
        }))
        const bounds = {
          ...size,
          rounds: Math.min(size.rounds, ROUNDS_MAX),
          warmingMillisecondsMax: Math.min(size.warmingMillisecondsMax, WARMING_MILLISECONDS_MAX),
          connections: 1,
          requestsMax: REQUESTS,
        }
        figures.push(...(await runSeries(`search, ${name}`, series, bounds, load)))
      }
    } finally {
      await engine.share(url, undefined)
      await subject.running.stop()
    }
  }
  return figures
}

function post(body: object): WireRequest {
  return {
    method: 'POST',
    path: '/v1/search',
    headers,
    body: JSON.stringify(body),
  }
}
