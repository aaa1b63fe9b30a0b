import type { DatabaseObject, DataSourceObject } from '../../generated/types.ts'
import { operations } from '../../generated/operations.ts'
import type { Lookups } from '../../server/versions/release.ts'
import { isObject } from '../../server/versions/json.ts'
import type { AcceptedRequest } from './accept.ts'
import type { Examples } from './examples.ts'

/**
 * An answer in the form of the release that the caller speaks. What the service looks up for it is taken from the examples: every
 * database has the data source of the example, whichever it is, and blocks have no parents but their own.
 */
export async function olderAnswer(examples: Examples, { translation }: AcceptedRequest, body: unknown): Promise<unknown> {
  return translation === undefined || !isObject(body) ? body : translation.downgrade(body, lookupsIn(examples))
}

function lookupsIn(examples: Examples): Lookups {
  return {
    parentsAround: () => Promise.resolve(new Map()),
    dataSourcesOf: async (databaseIds) => {
      const { body } = await examples.answer(operations.retrieveDataSource, undefined, {})
      // Examples are held against the contract when the mock form is made.
      const dataSource = body as DataSourceObject
      return new Map(databaseIds.map((id) => [id, [dataSource]]))
    },
    databasesOf: async (dataSourceIds) => {
      const { body } = await examples.answer(operations.retrieveDatabase, undefined, {})
      const database = body as DatabaseObject
      return new Map(dataSourceIds.map((id) => [id, database]))
    },
    cursorAfter: (_parentId, blockId) => Promise.resolve(blockId),
  }
}
