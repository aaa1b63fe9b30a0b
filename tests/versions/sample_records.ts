import type { OperationId } from '../../server/contract/operation.ts'
import type { Caller } from '../harness/caller.ts'
import { idOf, resultsOf, type JsonObject } from '../harness/json.ts'

/** How to read and change a record. */
interface Access {
  readonly retrieve: OperationId
  readonly update: OperationId
  readonly parameter: string
}

export const kinds = {
  page: { retrieve: 'retrievePage', update: 'updatePage', parameter: 'page_id' },
  block: { retrieve: 'retrieveBlock', update: 'updateBlock', parameter: 'block_id' },
  database: { retrieve: 'retrieveDatabase', update: 'updateDatabase', parameter: 'database_id' },
  data_source: { retrieve: 'retrieveDataSource', update: 'updateDataSource', parameter: 'data_source_id' },
  comment: { retrieve: 'retrieveComment', update: 'updateComment', parameter: 'comment_id' },
  view: { retrieve: 'retrieveView', update: 'updateView', parameter: 'view_id' },
} as const satisfies Record<string, Access>

export type Kind = keyof typeof kinds

export interface SampleRecord {
  readonly kind: Kind
  readonly id: string
}

/** Every record of the sample workspace that the connection can read and change, without comments of others. */
export async function sampleRecords(caller: Caller): Promise<SampleRecord[]> {
  const found = resultsOf((await caller.call('search', { body: {} })).body).map((record): SampleRecord => ({
    kind: record['object'] as 'page' | 'data_source',
    id: idOf(record),
  }))
  const pages = found.filter(({ kind }) => kind === 'page').map(({ id }) => id)
  const blocks = (await Promise.all(pages.map((id) => blocksBelow(caller, id)))).flat()
  const databases = blocks.filter(({ type }) => type === 'child_database').map(idOf)
  const comments = await Promise.all(
    [...pages, ...blocks.map(idOf)].map((block_id) => caller.call('listComments', { query: { block_id } })),
  )
  const views = await Promise.all(
    [...new Set(databases)].map((database_id) => caller.call('listDatabaseViews', { query: { database_id } })),
  )
  const { body: me } = await caller.call('retrieveMe')
  const own = comments
    .flatMap((response) => resultsOf(response.body))
    .filter(({ created_by: author }) => idOf(author) === idOf(me))
  const all = [
    ...found,
    ...blocks.map((block) => ({ kind: 'block' as const, id: idOf(block) })),
    ...databases.map((id) => ({ kind: 'database' as const, id })),
    ...own.map((comment) => ({ kind: 'comment' as const, id: idOf(comment) })),
    ...views.flatMap((response) => resultsOf(response.body)).map((view) => ({ kind: 'view' as const, id: idOf(view) })),
  ]
  return [...new Map(all.map((record) => [`${record.kind} ${record.id}`, record])).values()]
}

async function blocksBelow(caller: Caller, id: string): Promise<JsonObject[]> {
  const children = resultsOf((await caller.call('listBlockChildren', { path: { block_id: id } })).body)
  const inner = children
    .filter(({ has_children: has, type }) => has === true && type !== 'child_page')
    .map((block) => blocksBelow(caller, idOf(block)))
  return [...children, ...(await Promise.all(inner)).flat()]
}
