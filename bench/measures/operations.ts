import { headers } from '../databases/api.ts'
import { manyBlocks, newText, smallPage } from '../databases/content.ts'
import type { BlockSample } from '../databases/fill.ts'
import type { WireRequest } from '../load/job.ts'
import type { BenchSubject } from '../subjects/subject.ts'
import type { Series } from './series.ts'

export const APPENDED = 100
/** Pages created below one parent before the next parent is used. */
const PAGES_BELOW_ONE = 100

type Maker = (sample: BlockSample, round: number, count: number) => WireRequest[]

const manyBlocksJson = JSON.stringify(manyBlocks(APPENDED))

/** Requests of this service, by measure. */
export const serviceRequests = {
  get: ({ spread }) => spread.map((id) => ({ method: 'GET', path: `/v1/blocks/${id}`, headers })),
  page: ({ pages }) => pages.map((id) => ({ method: 'GET', path: `/v1/pages/${id}`, headers })),
  list: ({ pages }) => pages.map((id) => ({ method: 'GET', path: `/v1/blocks/${id}/children?page_size=100`, headers })),
  deep: ({ deepBlock }) => [{ method: 'GET', path: `/v1/blocks/${deepBlock}`, headers }],
  patch: ({ paragraphs }, round, count) =>
    Array.from({ length: count }, (_request, index) => ({
      method: 'PATCH',
      path: `/v1/blocks/${paragraphs[index % paragraphs.length]}`,
      headers,
      body: JSON.stringify(newText(`round ${round}, number ${index}`)),
    })),
  create: ({ pages }, round, count) =>
    Array.from({ length: count }, (_request, index) => ({
      method: 'POST',
      path: '/v1/pages',
      headers,
      body: JSON.stringify(smallPage(pages[(round + Math.floor(index / PAGES_BELOW_ONE)) % pages.length] ?? '', index)),
    })),
  append: ({ items }, round, count) =>
    Array.from({ length: count }, (_request, index) => ({
      method: 'PATCH',
      path: `/v1/blocks/${items[(round * count + index) % items.length]}/children`,
      headers,
      body: manyBlocksJson,
    })),
} satisfies Record<string, Maker>

export type BenchOperation = keyof typeof serviceRequests

/** The baselines in the table of each operation. */
const othersBeside: Readonly<Record<BenchOperation, readonly BenchSubject['kind'][]>> = {
  get: ['node:http', 'express', 'rows', 'prism'],
  page: ['rows'],
  list: ['rows'],
  deep: [],
  patch: ['rows'],
  create: ['rows'],
  append: ['express', 'rows'],
}

/** @param count maximum number of requests in one round */
export function seriesOf(operation: BenchOperation, subjects: readonly BenchSubject[], count: number): Series[] {
  return subjects.flatMap((subject): Series[] => {
    const { name, database, kind, running } = subject
    if (database) {
      if (operation === 'deep') return deepSeries(subject)
      return [{ subject, label: name, requests: (round) => serviceRequests[operation](database.sample, round, count) }]
    }
    if (!othersBeside[operation].includes(kind)) return []
    const sample = subject.sample ?? subjects.find((other) => other.database)?.database?.sample
    if (sample === undefined) throw new Error(`nothing to ask ${running.url} for`)
    return [{ subject, label: name, requests: (round) => serviceRequests[operation](sample, round, count) }]
  })
}

export const SHARED_WHOLE = ', workspace shared'
export const SHARED_ONE = ', one page shared'

/** The same block, seen through a grant of the whole workspace, and through one grant fifty levels above it. */
function deepSeries(subject: BenchSubject): Series[] {
  const { database } = subject
  if (!database) return []
  const { engine, url, sample } = database
  const requests = (): WireRequest[] => serviceRequests.deep(sample)
  return [
    { subject, label: subject.name + SHARED_WHOLE, before: () => engine.share(url, undefined), requests },
    {
      subject,
      label: subject.name + SHARED_ONE,
      before: () => engine.share(url, sample.topPage),
      after: () => engine.share(url, undefined),
      requests,
    },
  ]
}
