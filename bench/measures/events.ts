import { parseConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/store/open.ts'
import { headers } from '../databases/api.ts'
import type { BlockSample } from '../databases/fill.ts'
import { replaceSubscriptions } from '../databases/subscriptions.ts'
import type { WireRequest } from '../load/job.ts'
import type { Load } from '../load/load.ts'
import type { BenchSubject } from '../subjects/subject.ts'
import { serviceRequests } from './operations.ts'
import { runSeries, type Bounds, type Series, type SeriesFigures } from './series.ts'

export const NO_SUBSCRIPTION = 'no subscription'
export const EVERYTHING = 'one subscription, to these events'

/** Event types of the subscription during the requests. Nothing is sent, because it has no token. */
const AUDIENCES: Readonly<Record<string, readonly string[]>> = {
  [NO_SUBSCRIPTION]: [],
  'one subscription, to other events': ['file_upload.expired'],
  [EVERYTHING]: ['page.content_updated', 'comment.created'],
}

/** Changes that are coalesced in windows, and changes that become events immediately. */
const requestsOf: Readonly<Record<string, (sample: BlockSample, round: number, count: number) => WireRequest[]>> = {
  'change a block': serviceRequests.patch,
  'add a comment': ({ pages }, round, count) => commentsOn(pages, round, count),
}

/** Comments on each page in turn. */
export function commentsOn(pages: readonly string[], round: number, count: number): WireRequest[] {
  return Array.from({ length: count }, (_request, index) => ({
    method: 'POST',
    path: '/v1/comments',
    headers,
    body: JSON.stringify({ parent: { page_id: pages[index % pages.length] }, markdown: `round ${round}, number ${index}` }),
  }))
}

/** Measures writes with and without subscriptions. */
export async function runEvents(
  subjects: readonly BenchSubject[],
  bounds: Omit<Bounds, 'requestsMax'>,
  requestsMax: number,
  load: Load,
): Promise<SeriesFigures[]> {
  const figures: SeriesFigures[] = []
  for (const [what, requests] of Object.entries(requestsOf))
    for (const subject of subjects) {
      if (!subject.database) continue
      const { sample, url } = subject.database
      const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
      const series = Object.entries(AUDIENCES).map(([audience, types]): Series => {
        return {
          subject,
          label: `${subject.name}, ${what}: ${audience}`,
          before: async () => void (await replaceSubscriptions(database, types.length > 0 ? [{ eventTypes: types }] : [])),
          requests: (round) => requests(sample, round, requestsMax),
        }
      })
      figures.push(...(await runSeries(`events of ${what}`, series, { ...bounds, requestsMax }, load)))
      await replaceSubscriptions(database, [])
      await database.close()
    }
  return figures
}
