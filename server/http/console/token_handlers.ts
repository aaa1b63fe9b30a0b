import { createOwnToken, listOwnTokens, revokeOwnToken, type OwnToken } from '../../domain/administration/index.ts'
import { AdministrationError } from '../../domain/shared/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import { timeText } from './time_text.ts'
import { tokenCommand } from './token_command.ts'

/** The operations about the personal tokens of the person. */
export const tokenHandlers: ConsoleHandlers<'listOwnTokens' | 'createOwnToken' | 'deleteOwnToken'> = {
  listOwnTokens: listOf,
  async createOwnToken({ deps, session, body, now }) {
    const { personId } = session
    const settings = { workspaceId: canonicalId(body.workspace_id), personId, name: body.name, days: body.days }
    return deps.database.write(async (db) => {
      const { id, token } = await createOwnToken(db, settings, now).catch(refuse)
      const made = (await listOwnTokens(db, personId, now)).find((one) => one.id === id)
      if (!made) throw new Error('The new token is missing.')
      return { object: 'created_personal_token', token, command: tokenCommand(deps, token), personal_token: present(made) }
    }, settings.workspaceId)
  },
  async deleteOwnToken(call) {
    const { deps, session, path, now } = call
    const token = { workspaceId: canonicalId(path.workspace_id), tokenId: canonicalId(path.token_id) }
    const isRevoked = await deps.database.write((db) => revokeOwnToken(db, session.personId, token, now), token.workspaceId)
    if (!isRevoked)
      throw new ServiceError('object_not_found', { message: 'You have no such token. It may have been revoked already.' })
    return listOf(call)
  },
}

/** The error for a refused personal token. It is the same if the person does not belong to the workspace. */
function refuse(thrown: unknown): never {
  if (!(thrown instanceof AdministrationError)) throw thrown
  const message = 'You may not have personal tokens in this workspace. Its owners decide who may.'
  throw new ServiceError('restricted_resource', { message })
}

async function listOf({
  deps,
  session,
  now,
}: Pick<ConsoleCall<'listOwnTokens'>, 'deps' | 'session' | 'now'>): Promise<ConsoleResponse<'listOwnTokens'>> {
  const tokens = await deps.database.read((db) => listOwnTokens(db, session.personId, now))
  return { object: 'list', type: 'personal_token', results: tokens.map(present) }
}

function present({
  id,
  workspaceId,
  workspaceName,
  name,
  ...one
}: OwnToken): ConsoleResponse<'listOwnTokens'>['results'][number] {
  return {
    object: 'personal_token',
    id,
    workspace_id: workspaceId,
    workspace_name: workspaceName,
    name,
    created_time: timeText(one.created_time),
    expires_time: timeText(one.expires_time),
  }
}
