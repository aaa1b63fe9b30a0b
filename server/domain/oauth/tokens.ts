import type { OAuthTokenRequest, OAuthTokenResponse } from '../../../generated/types.ts'
import type { OAuthError } from '../../kernel/oauth_error.ts'
import type { ConnectionRecord } from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { exchangeCode } from './exchange.ts'
import { refresh } from './refresh.ts'

/** The context of OAuth endpoints, which have no actor but an authenticated connection. */
export interface ClientScope {
  readonly db: Connection
  readonly client: ConnectionRecord
  readonly now: number
}

export interface ClientWriteScope extends ClientScope {
  readonly db: Transaction
}

/**
 * Issues a pair of tokens for a code or a refresh token.
 * @returns an error if the transaction has to be committed nevertheless
 */
export function createToken(
  { db, client, now }: ClientWriteScope,
  request: OAuthTokenRequest,
): Promise<OAuthTokenResponse | OAuthError> {
  return request.grant_type === 'authorization_code' ? exchangeCode(db, client, request, now) : refresh(db, client, request, now)
}
