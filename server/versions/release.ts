import type { DatabaseObject, DataSourceObject, Parent, ReleaseDate } from '../../generated/types.ts'
import type { Operation, OperationId } from '../contract/operation.ts'
import type { JsonObject } from './json.ts'
import type { Origins } from './origins.ts'

/** One operation of the newest release to carry out, with its parts in the newest form. */
export interface NewCall {
  readonly operation: Operation & { readonly id: OperationId }
  readonly path: JsonObject
  readonly query: JsonObject
  /** Undefined where the operation takes none. */
  readonly body: JsonObject | undefined
}

/** A request of an older release while it is made into calls of the newest. */
export interface OldRequest {
  readonly version: ReleaseDate
  /** What the caller asked for. Its parts are rewritten in place, through `origins` wherever a message may name the place. */
  readonly call: NewCall
  /** Everything to carry out, in this order and in one transaction: the answer is that of the last. At first `call` alone. */
  readonly calls: NewCall[]
  readonly origins: Origins
  /** What needs stored data: run after the contract has accepted the calls, before the first of them. */
  readonly preparations: ((lookups: Lookups) => Promise<void>)[]
}

/** What an answer may depend on of the request that it answers. */
export interface Asked {
  readonly call: {
    readonly operation: { readonly id: string }
    readonly path: JsonObject
    readonly body: JsonObject | undefined
  }
}

/** Stored data that older forms are made of, in the newest form and as far as the caller may see it. */
export interface Lookups {
  /** For blocks: the nearest page, database or workspace above each, as the parent that it is. What is unknown is left out. */
  parentsAround(blockIds: readonly string[]): Promise<ReadonlyMap<string, Parent>>
  /** For databases: their data sources, in order. A database that the caller cannot see is left out. */
  dataSourcesOf(databaseIds: readonly string[]): Promise<ReadonlyMap<string, readonly DataSourceObject[]>>
  /** For data sources: the database each belongs to. */
  databasesOf(dataSourceIds: readonly string[]): Promise<ReadonlyMap<string, DatabaseObject>>
  /** The cursor with which the list of a block's children continues after one of them. */
  cursorAfter(parentId: string, blockId: string): Promise<string>
}

/** One change of a release, from both sides. It touches nothing but what its entry in `spec/versions` names. */
export interface ReleaseChange {
  readonly id: string
  /** Makes a request of the release before into one of this release. */
  readonly upgrade?: (request: OldRequest) => void
  /** Makes an answer of this release into one of the release before. The answer itself stays as it is. */
  readonly downgrade?: (answer: JsonObject, lookups: Lookups, request: Asked) => JsonObject | Promise<JsonObject>
  /** The release before ignores keys that it does not know. */
  readonly ignoresUnknownKeys?: true
}

export interface Release {
  readonly date: ReleaseDate
  readonly changes: readonly ReleaseChange[]
}
