import type { ConnectionRecord } from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'

/** The context of OAuth endpoints, which have no actor but an authenticated connection. */
export interface ClientScope {
  readonly db: Connection
  readonly client: ConnectionRecord
  readonly now: number
}

export interface ClientWriteScope extends ClientScope {
  readonly db: Transaction
}
