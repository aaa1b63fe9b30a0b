import type { OAuthTokenRequest, OAuthTokenResponse } from '../../../generated/types.ts'
import type { OAuthError } from '../../kernel/oauth_error.ts'
import type { PreparedDuplicate } from '../data/index.ts'
import type { ClientScope, ClientWriteScope } from './client_scope.ts'
import { exchangeCode, prepareTemplateCopy } from './exchange.ts'
import { refresh } from './refresh.ts'

/** Copies the template for an exchange of a code, if it needs one. */
export async function prepareToken(scope: ClientScope, request: OAuthTokenRequest): Promise<PreparedDuplicate | undefined> {
  return request.grant_type === 'authorization_code' ? prepareTemplateCopy(scope, request) : undefined
}

/**
 * Issues a pair of tokens for a code or a refresh token.
 * @returns an error if the transaction has to be committed nevertheless
 * @throws OutdatedError without the copy of a template that an exchange needs
 */
export function createToken(
  { db, client, now }: ClientWriteScope,
  request: OAuthTokenRequest,
  template: PreparedDuplicate | undefined,
): Promise<OAuthTokenResponse | OAuthError> {
  if (request.grant_type !== 'authorization_code') return refresh(db, client, request, now)
  return exchangeCode({ db, client, now }, request, template)
}
