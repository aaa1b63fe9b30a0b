import { listAuthorizations, revokeAuthorization, type Authorization } from '../../domain/oauth/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import { rightsInWords } from '../oauth/rights_in_words.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import { timeText } from './time_text.ts'

/** The operations about connections that the person has authorized. */
export const connectionHandlers: ConsoleHandlers<'listAuthorizedConnections' | 'deleteAuthorizedConnection'> = {
  listAuthorizedConnections: listOf,
  async deleteAuthorizedConnection(call) {
    const { deps, session, path, now } = call
    const bot = { workspaceId: canonicalId(path.workspace_id), botId: canonicalId(path.bot_id) }
    const isRevoked = await deps.database.write((db) => revokeAuthorization(db, session.personId, bot, now), bot.workspaceId)
    if (!isRevoked)
      throw new ServiceError('object_not_found', { message: 'You have no such connection. It may have been revoked already.' })
    return listOf(call)
  },
}

async function listOf({
  deps,
  session,
}: Pick<ConsoleCall<'listAuthorizedConnections'>, 'deps' | 'session'>): Promise<ConsoleResponse<'listAuthorizedConnections'>> {
  const authorizations = await deps.database.read((db) => listAuthorizations(db, session.personId))
  return { object: 'list', type: 'authorized_connection', results: authorizations.map(present) }
}

function present({
  connection: { name, iconUrl, developerName, capabilities },
  ...one
}: Authorization): ConsoleResponse<'listAuthorizedConnections'>['results'][number] {
  return {
    object: 'authorized_connection',
    bot_id: one.botId,
    workspace_id: one.workspaceId,
    workspace_name: one.workspaceName,
    name,
    // An image from another host would tell that host who looks at this page.
    icon_url: iconUrl?.startsWith('data:image/') ? iconUrl : null,
    developer_name: developerName,
    capabilities: rightsInWords(capabilities).map(({ words, isGiven }) => ({ words, is_given: isGiven })),
    authorized_time: timeText(one.authorizedTime),
    sees_workspace: one.sharesWorkspace,
    shared_count: one.sharedCount,
    shared: one.shared.map(({ id, title, emoji }) => ({ id, title, icon: emoji ?? null })),
  }
}
