import { parentsAround } from '../domain/content/blocks/present.ts'
import { databasesOf, dataSourcesOf } from '../domain/data/databases/lookups.ts'
import type { Scope } from '../domain/shared/scope.ts'
import type { Lookups } from './release.ts'

/** Runs work that reads stored data, in the current transaction or in one of its own. */
export type Reader = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>

/** Lookups that call `read` for each request, so nothing is read, and no transaction begun, unless a change needs it. */
export function lookupsOf(read: Reader): Lookups {
  return {
    parentsAround: (blockIds) => read((scope) => parentsAround(scope, blockIds)),
    dataSourcesOf: (databaseIds) => read((scope) => dataSourcesOf(scope, databaseIds)),
    databasesOf: (dataSourceIds) => read((scope) => databasesOf(scope, dataSourceIds)),
  }
}
