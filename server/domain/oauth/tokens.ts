import type { OAuthTokenRequest, OAuthTokenResponse } from '../../../generated/types.ts'
import type { OAuthError } from '../../kernel/oauth_error.ts'
import type { ConnectionRecord } from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { exchangeCode } from './exchange.ts'
import { refresh } from './refresh.ts'

/** What an OAuth endpoint needs to answer: there is no actor, only a connection that proved its secret. */
export interface ClientScope {
  readonly db: Connection
  readonly client: ConnectionRecord
  readonly now: number
}

export interface ClientWriteScope extends ClientScope {
  readonly db: Transaction
}

/** A pair of tokens, for a code or for a refresh token. @returns an error where what happened has to be kept all the same */
export function createToken(
  { db, client, now }: ClientWriteScope,
  request: OAuthTokenRequest,
): Promise<OAuthTokenResponse | OAuthError> {
  return request.grant_type === 'authorization_code' ? exchangeCode(db, client, request, now) : refresh(db, client, request, now)
}
