import type { ConnectionRecord } from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'

/** A connection that calls OAuth endpoints with its client id and secret. */
export type OAuthClient = ConnectionRecord

/** The context of OAuth endpoints. They have no actor, only an authenticated connection. */
export interface ClientScope {
  readonly db: Connection
  readonly client: OAuthClient
  readonly now: number
}

export interface ClientWriteScope extends ClientScope {
  readonly db: Transaction
  /** Records the request in the audit log of the workspace of a bot. */
  audit(workspaceId: string, botId: string): Promise<void>
}
