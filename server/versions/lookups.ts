import { parentsAround } from '../domain/blocks/parents_around.ts'
import type { Scope } from '../domain/scope.ts'
import type { Lookups } from './release.ts'

/** Runs work that reads stored data: in the transaction at hand, or in one of its own. */
export type Reader = <T>(work: (scope: Scope) => Promise<T>) => Promise<T>

/** The stored data that older forms need. What needs none never reads. */
export function lookupsOf(read: Reader): Lookups {
  return {
    parentsAround: (blockIds) => read((scope) => parentsAround(scope, blockIds)),
    // No database is stored yet, so none is found. They are looked up here once there are some.
    dataSourcesOf: () => Promise.resolve(new Map()),
    databasesOf: () => Promise.resolve(new Map()),
  }
}
