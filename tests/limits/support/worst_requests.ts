import type { OperationId } from '../../../generated/operations.ts'
import type { CallParts } from '../../harness/caller.ts'
import { bodySpots, limitsOf, valueAt } from '../../harness/request_values.ts'
import { exampleCall, type KnownOperation } from '../../harness/every_operation.ts'
import { operations } from '../../../generated/operations.ts'
import { longestOfRequest, type World } from './world.ts'
import { worstTexts } from './worst_texts.ts'

/** An expensive request. Its data is created before the measurement. */
export interface WorstRequest {
  readonly what: string
  readonly parts: (world: World) => Promise<CallParts> | CallParts
}

function changed(page: (world: World) => Promise<string>, body: object): WorstRequest['parts'] {
  return async (world) => ({ path: { page_id: await page(world) }, body })
}

function replaced(old_str: string, new_str: string): object {
  return { type: 'update_content', update_content: { content_updates: [{ old_str, new_str, replace_all_matches: true }] } }
}

const ofTexts = (parts: (content: string) => WorstRequest['parts']): WorstRequest[] =>
  Object.entries(worstTexts).map(([what, content]) => ({ what, parts: parts(content) }))

const filters = Array.from({ length: 100 }, () => ({ property: 'Costly', formula: { string: { contains: 'aaaab' } } }))
const sorts = [{ property: 'Costly', direction: 'ascending' }]

/**
 * The most expensive requests by stored data, for operations whose work grows with it, besides those generated for all operations. The most
 * expensive of each is first.
 */
export const worstRequests: Readonly<Partial<Record<OperationId, readonly WorstRequest[]>>> = {
  updatePageMarkdown: [
    {
      what: 'replaces all of a thousand lines by marks',
      parts: changed(({ newPage }) => newPage('short lines'), replaced('e', '**a** _b_ '.repeat(2))),
    },
    {
      what: 'replaces all of many lines by what a request may write',
      parts: changed(({ newPage }) => newPage('short lines'), replaced('e', 'x'.repeat(26))),
    },
    // Without tables of thousands of rows: these are parsed in one step, which takes about 100 ms.
    ...['marks', 'links'].map((what) => ({
      what: `changes all of ${what}`,
      parts: changed(({ newPage }) => newPage(what), replaced('a', 'c')),
    })),
    ...['equations', 'nested items'].map((what) => ({
      what: `inserts ${what}`,
      parts: changed(({ newPage }) => newPage(), { type: 'insert_content', insert_content: { content: worstTexts[what] } }),
    })),
    {
      what: 'replaces marks by code',
      parts: changed(({ newPage }) => newPage('marks'), {
        type: 'replace_content',
        replace_content: { new_str: worstTexts['code spans'], allow_deleting_content: true },
      }),
    },
    {
      what: 'replaces all of many lines of a page that is too long to be shown',
      parts: changed(({ newOverlongPage }) => newOverlongPage(), replaced('e', 'x')),
    },
    {
      what: 'clears a long page',
      parts: changed(({ newPage }) => newPage('short lines'), {
        type: 'replace_content_range',
        replace_content_range: { content: '', content_range: 'e...', allow_deleting_content: true },
      }),
    },
  ],
  createPage: [
    ...ofTexts((markdown) => () => ({ body: { markdown } })),
    {
      what: 'applies a template',
      parts: async ({ dense, newPage }) => ({
        body: { parent: { page_id: await newPage() }, template: { type: 'template_id', template_id: dense } },
      }),
    },
  ],
  retrievePageMarkdown: [
    { what: 'marks', parts: ({ dense }) => ({ path: { page_id: dense } }) },
    { what: 'short lines', parts: ({ long }) => ({ path: { page_id: long } }) },
    { what: 'rows', parts: async ({ newPage }) => ({ path: { page_id: await newPage('rows') } }) },
  ],
  appendBlockChildren: [
    {
      what: 'mentions of a long title',
      parts: async ({ newPage, longTitled }) => {
        const rich_text = Array<object>(100).fill({ mention: { page: { id: longTitled } } })
        return { path: { block_id: await newPage() }, body: { children: Array<object>(70).fill({ paragraph: { rich_text } }) } }
      },
    },
  ],
  listBlockChildren: [{ what: 'marks', parts: ({ dense }) => ({ path: { block_id: dense }, query: { page_size: 100 } }) }],
  deleteBlock: [{ what: 'a long page', parts: async ({ newPage }) => ({ path: { block_id: await newPage('short lines') } }) }],
  movePage: [
    {
      what: 'a long page',
      parts: async ({ newPage }) => ({
        path: { page_id: await newPage('short lines') },
        body: { parent: { page_id: await newPage() } },
      }),
    },
  ],
  updatePage: [
    {
      what: 'erases a long page',
      parts: async ({ newPage }) => ({ path: { page_id: await newPage('short lines') }, body: { erase_content: true } }),
    },
    {
      what: 'fills the second half of a row',
      parts: async ({ newHalfRow }) => ({
        path: { page_id: (await newHalfRow()).rowIds[0] ?? '' },
        body: { properties: { Second: { rich_text: longestOfRequest } } },
      }),
    },
  ],
  retrievePage: [
    { what: 'a rollup of long texts', parts: ({ longRollups }) => ({ path: { page_id: longRollups.rowIds[0] ?? '' } }) },
    { what: 'a rollup of costly formulas', parts: ({ rollups }) => ({ path: { page_id: rollups.rowIds[0] ?? '' } }) },
  ],
  queryDataSource: [
    { what: 'long texts', parts: ({ longRows }) => ({ path: { data_source_id: longRows.sourceId }, body: {} }) },
    { what: 'sorts by costly formulas', parts: ({ rows }) => ({ path: { data_source_id: rows.sourceId }, body: { sorts } }) },
    {
      what: 'filters by costly formulas',
      parts: ({ rows }) => ({ path: { data_source_id: rows.sourceId }, body: { filter: { or: filters } } }),
    },
    { what: 'rollups', parts: ({ rollups }) => ({ path: { data_source_id: rollups.sourceId }, body: {} }) },
  ],
  createViewQuery: [{ what: 'sorts by costly formulas', parts: ({ viewId }) => ({ path: { view_id: viewId }, body: {} }) }],
  updateDataSource: [
    {
      what: 'converts texts',
      parts: async ({ newRows }) => ({
        path: { data_source_id: (await newRows()).sourceId },
        body: { properties: { Text: { multi_select: {} } } },
      }),
    },
    {
      what: 'converts long texts',
      parts: async ({ newLongRows }) => ({
        path: { data_source_id: (await newLongRows()).sourceId },
        body: { properties: { Text: { multi_select: {} } } },
      }),
    },
  ],
  createComment: [
    {
      what: 'marks',
      parts: async ({ newPage }) => ({ body: { parent: { page_id: await newPage() }, markdown: worstTexts['marks'] } }),
    },
  ],
  search: [{ what: 'many words', parts: () => ({ body: { query: 'a b c d e f '.repeat(15) } }) }],
}

/** The example of an operation, and variants in which each list, map and text of its body is as large as its schema allows. */
export function* generatedRequests(operation: KnownOperation): Generator<WorstRequest> {
  const example = exampleCall(operation)
  yield { what: 'the example', parts: () => example }
  for (const spot of bodySpots(operation.id)) {
    for (const limit of limitsOf(spot.schema)) {
      if (!['maxItems', 'maxProperties', 'maxLength'].includes(limit.keyword)) continue
      const { body } = spot.request(valueAt(spot.schema, limit, 0))
      if (JSON.stringify(body).length > operations[operation.id].bodyLimit) continue
      yield { what: `${spot.location} ${limit.keyword}`, parts: () => ({ ...example, body }) }
    }
  }
}
