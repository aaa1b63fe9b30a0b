import type { ListCursors } from '../../kernel/cursors.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import type { Actor } from './actor.ts'
import type { FileTerms } from './file_terms.ts'

/** The context of a request, which domain functions receive. */
export interface Scope {
  readonly db: Connection
  readonly actor: Actor
  /** The time of the request. All its changes have the same time. */
  readonly now: number
  /** The address of the service for links in responses, without a trailing slash. */
  readonly baseUrl: string
  /** Cursors are bound to the operation, the caller, the version, and every parameter of the request except for paging. */
  readonly cursors: ListCursors
  readonly version: string
  readonly files: FileTerms
  /** The agents whose runs led to the request, oldest first. Its changes do not start them again. */
  readonly causedBy?: readonly string[]
  /**
   * Called between the steps of long work; omitted if there is no time limit.
   * @throws ServiceError `service_unavailable` if the time limit of the request is exceeded
   */
  requireTime?(): void
}

export interface WriteScope extends Scope {
  readonly db: Transaction
}
