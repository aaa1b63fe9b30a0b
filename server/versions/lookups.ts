import { cursorAfter } from '../domain/blocks/blocks.ts'
import { parentsAround } from '../domain/blocks/parents_around.ts'
import { databasesOf, dataSourcesOf } from '../domain/databases/lookups.ts'
import type { Scope } from '../domain/scope.ts'
import type { Lookups } from './release.ts'

/** Runs work that reads stored data: in the transaction at hand, or in one of its own. */
export type Reader = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>

/** The stored data that older forms need. What needs none never reads. */
export function lookupsOf(read: Reader): Lookups {
  return {
    parentsAround: (blockIds) => read((scope) => parentsAround(scope, blockIds)),
    dataSourcesOf: (databaseIds) => read((scope) => dataSourcesOf(scope, databaseIds)),
    databasesOf: (dataSourceIds) => read((scope) => databasesOf(scope, dataSourceIds)),
    cursorAfter: (parentId, blockId) => read((scope) => cursorAfter(scope, parentId, blockId)),
  }
}
