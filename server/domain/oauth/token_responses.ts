import type { OAuthOwner, OAuthTokenResponse } from '../../../generated/types.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import { capabilityOrder, newSecret } from '../shared/index.ts'
import type { TokenFamily } from '../../store/authorizations.ts'
import type { ConnectionRecord } from '../../store/connections.ts'
import type { Transaction } from '../../store/database.ts'
import { insertToken, tokenDigest } from '../../store/tokens.ts'
import { findUsers } from '../../store/users.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { partialUser } from '../people/index.ts'

/** Issues the next pair of tokens of a family, and presents it with the current data of the installation. */
export async function issuePair(
  db: Transaction,
  client: ConnectionRecord,
  family: TokenFamily,
  personId: string,
  now: number,
): Promise<OAuthTokenResponse> {
  const [access, refresh] = [newSecret('oat'), newSecret('ort')]
  const common = {
    workspaceId: family.workspace_id,
    connectionId: client.id,
    userId: family.bot_id,
    familyId: family.id,
    generation: family.generation,
  }
  await insertToken(db, { ...common, digest: tokenDigest(access), kind: 'access' }, now)
  await insertToken(db, { ...common, digest: tokenDigest(refresh), kind: 'refresh' }, now)
  const workspace = await findWorkspace(db, family.workspace_id)
  return {
    access_token: access,
    token_type: 'bearer',
    refresh_token: refresh,
    bot_id: family.bot_id,
    workspace_id: family.workspace_id,
    workspace_name: workspace?.name ?? null,
    workspace_icon: workspace?.icon_url ?? null,
    owner: await presentOwner(db, client, family.workspace_id, personId),
    duplicated_template_id: family.template_copy_id,
  }
}

/** The owner of the token; complete only if the connection may read email addresses. */
async function presentOwner(
  db: Transaction,
  client: ConnectionRecord,
  workspaceId: string,
  personId: string,
): Promise<OAuthOwner> {
  const [person] = client.capabilities.includes('read_user_with_email') ? await findUsers(db, workspaceId, [personId]) : []
  if (!person || person.email === null) return { type: 'user', user: partialUser(personId) }
  const { id, name, avatar_url, email } = person
  return { type: 'user', user: { object: 'user', id, type: 'person', name, avatar_url, person: { email } } }
}

/** The error for an invalid code or token. */
export function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', { message })
}

/** The capabilities of a connection as introspection lists them. Access to email addresses includes access to names. */
export function scopeOf(client: ConnectionRecord): string {
  const seesEmail = client.capabilities.includes('read_user_with_email')
  return capabilityOrder
    .filter((word) => client.capabilities.includes(word) || (seesEmail && word === 'read_user_without_email'))
    .join(' ')
}
