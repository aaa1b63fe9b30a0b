import type { OAuthTokenRequest, OAuthTokenResponse } from '../../../generated/types.ts'
import type { OAuthError } from '../../kernel/oauth_error.ts'
import type { PreparedDuplicate } from '../data/index.ts'
import type { ClientScope, ClientWriteScope } from './client_scope.ts'
import { exchangeCode, prepareTemplateCopy } from './exchange.ts'
import { refresh } from './refresh.ts'

/** Copies the template that the exchange of a code needs, if any. */
export async function prepareToken(scope: ClientScope, request: OAuthTokenRequest): Promise<PreparedDuplicate | undefined> {
  return request.grant_type === 'authorization_code' ? prepareTemplateCopy(scope, request) : undefined
}

/**
 * Issues a pair of tokens for a code or a refresh token.
 * @returns an error if the transaction must be committed nevertheless
 * @throws OutdatedError if an exchange needs a copy of a template and has none
 */
export async function createToken(
  scope: ClientWriteScope,
  request: OAuthTokenRequest,
  template: PreparedDuplicate | undefined,
): Promise<OAuthTokenResponse | OAuthError> {
  const { db, client, now } = scope
  const made =
    request.grant_type === 'authorization_code'
      ? await exchangeCode(scope, request, template)
      : await refresh(db, client, request, now)
  if ('bot_id' in made) await scope.audit(made.workspace_id, made.bot_id)
  return made
}
