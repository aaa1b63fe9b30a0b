import type { OAuthTokenResponse, RefreshTokenGrantRequest } from '../../../generated/types.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import {
  endFamily,
  endPair,
  findPairToken,
  isPairUsed,
  lockFamily,
  setGeneration,
  type PairToken,
  type TokenFamily,
} from '../../store/authorizations.ts'
import type { ConnectionRecord } from '../../store/connections.ts'
import type { Transaction } from '../../store/database.ts'
import { findTokenOwner, tokenDigest } from '../../store/tokens.ts'
import { findUsers } from '../../store/users.ts'
import { invalidGrant, issuePair } from './token_responses.ts'

/** For this time, a used refresh token can be used again, because the response may have been lost. */
const RETRY_MS = 60_000

/**
 * Exchanges the newest refresh token of a family for the next pair.
 * @returns an error, instead of throwing it, if a refresh token was used again, which revokes the whole family
 * @throws OAuthError if nothing has changed
 */
export async function refresh(
  db: Transaction,
  client: ConnectionRecord,
  grant: RefreshTokenGrantRequest,
  now: number,
): Promise<OAuthTokenResponse | OAuthError> {
  const digest = tokenDigest(grant.refresh_token)
  const seen = await findPairToken(db, digest)
  if (seen?.kind !== 'refresh' || seen.connection_id !== client.id)
    throw invalidGrant('The refresh token was not issued to this client.')
  const family = await lockFamily(db, seen.workspace_id, seen.family_id)
  // Read the token again now that the family is locked, so that no other refresh interferes.
  const token = await findPairToken(db, digest)
  if (!family || !token || family.ended_time !== null) throw invalidGrant('The refresh token has been revoked.')
  const { workspace_id: workspaceId, id, generation } = family

  if (token.spent_time === null && token.revoked_time === null) {
    if (!(await findTokenOwner(db, digest)))
      throw invalidGrant('The authorization of this refresh token is suspended: its workspace or member is missing.')
    await endPair(db, workspaceId, id, generation, 'spent', now)
    await setGeneration(db, workspaceId, id, generation + 1)
    return issuePair(db, client, { ...family, generation: generation + 1 }, await personOf(db, family), now)
  }
  if (await isRetry(db, token, family, now)) {
    await endPair(db, workspaceId, id, generation, 'revoked', now)
    return issuePair(db, client, family, await personOf(db, family), now)
  }
  await endFamily(db, workspaceId, id, now)
  return invalidGrant('The refresh token was used before. All tokens of this authorization have been revoked.')
}

/** Whether the token was exchanged a moment ago for the current pair, which has not been used yet. */
async function isRetry(db: Transaction, token: PairToken, family: TokenFamily, now: number): Promise<boolean> {
  if (token.spent_time === null || now - token.spent_time > RETRY_MS) return false
  return token.generation === family.generation - 1 && !(await isPairUsed(db, family.workspace_id, family.id, family.generation))
}

async function personOf(db: Transaction, family: TokenFamily): Promise<string> {
  const [bot] = await findUsers(db, family.workspace_id, [family.bot_id])
  return bot?.owner_id ?? family.bot_id
}
