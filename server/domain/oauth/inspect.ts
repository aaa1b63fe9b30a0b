import type { OAuthIntrospectResponse, OAuthRevokeResponse } from '../../../generated/types.ts'
import { endFamily, findPairToken, lockFamily } from '../../store/authorizations.ts'
import type { ConnectionRecord } from '../../store/connections.ts'
import type { Connection } from '../../store/database.ts'
import { findTokenOwner, tokenDigest } from '../../store/tokens.ts'
import type { ClientWriteScope } from './client_scope.ts'
import { invalidGrant, scopeOf } from './token_responses.ts'

/** Reports whether a token of this client is valid, and nothing else about it. This does not count as a use of the token. */
export async function introspect(db: Connection, client: ConnectionRecord, token: string): Promise<OAuthIntrospectResponse> {
  const digest = tokenDigest(token)
  const [owner, pair] = [await findTokenOwner(db, digest), await findPairToken(db, digest)]
  if (!owner || !pair || pair.connection_id !== client.id) return { active: false }
  return { active: true, scope: scopeOf(client), iat: pair.created_time }
}

/**
 * Revokes a token, and the other token of its pair. Revoking a token that is not valid, or never was, is not an error.
 * @throws OAuthError `invalid_grant` for a valid token of another client
 */
export async function revoke(scope: ClientWriteScope, token: string): Promise<OAuthRevokeResponse> {
  const { db, client, now } = scope
  const digest = tokenDigest(token)
  const pair = await findPairToken(db, digest)
  const family = pair?.connection_id === client.id ? await lockFamily(db, pair.workspace_id, pair.family_id) : undefined
  if (family) {
    await endFamily(db, family.workspace_id, family.id, now)
    await scope.audit(family.workspace_id, family.bot_id)
  } else if (await findTokenOwner(db, digest)) throw invalidGrant('The token was not issued to this client.')
  return {}
}
