import { parentsAround } from '../domain/content/index.ts'
import { databasesOf, dataSourcesOf } from '../domain/data/index.ts'
import type { Scope } from '../domain/shared/index.ts'
import type { Lookups } from './release.ts'

/** Runs work that reads stored data, in the current transaction or in its own. */
export type Reader = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>

/** Look-ups that call `read` each time, so that nothing is read, and no transaction begins, unless a change needs it. */
export function lookupsOf(read: Reader): Lookups {
  return {
    parentsAround: (blockIds) => read((scope) => parentsAround(scope, blockIds)),
    dataSourcesOf: (databaseIds) => read((scope) => dataSourcesOf(scope, databaseIds)),
    databasesOf: (dataSourceIds) => read((scope) => databasesOf(scope, dataSourceIds)),
  }
}
