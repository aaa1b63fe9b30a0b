import type { DatabaseObject, DataSourceObject } from '../../generated/types.ts'
import { operations } from '../../generated/operations.ts'
import type { Lookups } from '../../server/versions/release.ts'
import type { Call } from '../../server/application/call.ts'
import type { Examples } from './examples.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/**
 * Converts a response to the release of the request. Stored data that the conversion needs comes from the examples: every database has the
 * data source of the example, and no block is on a page.
 */
export async function responseOfVersion(
  examples: Examples,
  { translation }: Pick<Call, 'translation'>,
  body: unknown,
): Promise<unknown> {
  return translation === undefined || !isObject(body) ? body : translation.downgrade(body, lookupsIn(examples))
}

function lookupsIn(examples: Examples): Lookups {
  return {
    parentsAround: () => Promise.resolve(new Map()),
    dataSourcesOf: async (databaseIds) => {
      const { body } = await examples.responseFor(operations.retrieveDataSource, undefined, {})
      // Examples are validated when the mock's form of the contract is generated.
      const dataSource = body as DataSourceObject
      return new Map(databaseIds.map((id) => [id, [dataSource]]))
    },
    databasesOf: async (dataSourceIds) => {
      const { body } = await examples.responseFor(operations.retrieveDatabase, undefined, {})
      const database = body as DatabaseObject
      return new Map(dataSourceIds.map((id) => [id, database]))
    },
  }
}
