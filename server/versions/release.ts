import type { DatabaseObject, DataSourceObject, Parent, ReleaseDate } from '../../generated/types.ts'
import type { Operation, OperationId } from '../contract/operation.ts'
import type { JsonObject } from './json.ts'
import type { Origins } from './origins.ts'

/** A call of an operation in the form of the newest release. */
export interface NewCall {
  readonly operation: Operation & { readonly id: OperationId }
  readonly path: JsonObject
  readonly query: JsonObject
  /** Undefined if the request has no body. */
  readonly body: JsonObject | undefined
}

/** A request of an older release while it is upgraded. */
export interface OldRequest {
  readonly version: ReleaseDate
  /** The operation that the caller called. Its parts are rewritten in place, through `origins` if an error message may name them. */
  readonly call: NewCall
  /** The calls to execute, in order and in one transaction; the last one gives the response. Initially only `call`. */
  readonly calls: NewCall[]
  readonly origins: Origins
  /**
   * The parts of the upgrade that need stored data. They run after the calls have been validated, and before the first of them is
   * performed.
   */
  readonly preparations: ((lookups: Lookups) => Promise<void>)[]
}

/** The data about the request that a downgrade may need. */
export interface CompletedRequest {
  readonly call: {
    readonly operation: { readonly id: string }
    readonly path: JsonObject
    readonly body: JsonObject | undefined
  }
}

/** Stored data that translations need, in the form of the newest release and limited to records that the caller may see. */
export interface Lookups {
  /** The nearest page, database or workspace above each block, in the form of a `parent`. Blocks that are not found are omitted. */
  parentsAround(blockIds: readonly string[]): Promise<ReadonlyMap<string, Parent>>
  /** The data sources of each database, in order. Databases that the caller cannot see are omitted. */
  dataSourcesOf(databaseIds: readonly string[]): Promise<ReadonlyMap<string, readonly DataSourceObject[]>>
  /** The database of each data source. */
  databasesOf(dataSourceIds: readonly string[]): Promise<ReadonlyMap<string, DatabaseObject>>
}

/** One change of a release, as a translation of requests and of responses. It must do exactly what its entry in `spec/versions` states. */
export interface ReleaseChange {
  /** The id of the change in `spec/versions`. */
  readonly id: string
  /** Turns a request of the previous release into one of this release. */
  readonly upgrade?: (request: OldRequest) => void
  /** Turns a response of this release into one of the previous release, without modifying the original. */
  readonly downgrade?: (response: JsonObject, lookups: Lookups, request: CompletedRequest) => JsonObject | Promise<JsonObject>
  /** Set if the previous release ignores unknown keys. */
  readonly ignoresUnknownKeys?: true
}

export interface Release {
  readonly date: ReleaseDate
  readonly changes: readonly ReleaseChange[]
}
