import type { ListCursors } from '../kernel/cursors.ts'
import type { Connection, Transaction } from '../store/database.ts'
import type { Actor } from './actor.ts'
import type { FileTerms } from './file_uploads/terms.ts'

/** What every domain function needs to answer one request. */
export interface Scope {
  readonly db: Connection
  readonly actor: Actor
  /** Time of the request; everything written in it carries the same one. */
  readonly now: number
  /** Address that links in answers begin with, without a trailing slash. */
  readonly baseUrl: string
  /** Of the list that is asked for, bound to every parameter of the request except its paging, to the caller and the version. */
  readonly cursors: ListCursors
  readonly version: string
  readonly files: FileTerms
  /** Agents whose runs led to the request, oldest first: what it changes starts none of them again. */
  readonly causedBy?: readonly string[]
  /**
   * For long work, between its steps; left out where it may take any time.
   * @throws ServiceError `service_unavailable` when the time of the request has run out
   */
  requireTime?(): void
}

/** A scope whose changes are kept together or not at all. */
export interface WriteScope extends Scope {
  readonly db: Transaction
}
