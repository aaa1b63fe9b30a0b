import {
  createOwnedInternalConnection,
  deleteOwnedConnection,
  findOwnedConnection,
  listOwnedConnections,
  rotateOwnedToken,
  type OwnedConnection,
} from '../../domain/administration/index.ts'
import { listOwnedShares, searchShareable, shareWithOwned, unshareFromOwned } from '../../domain/oauth/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { Dependencies } from '../dependencies.ts'
import { rightsInWords } from '../oauth/rights_in_words.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import {
  changeOwnedConnection,
  missingOfConnection,
  requireOwnedConnection,
  type OwnedConnectionCall,
} from './owned_connection.ts'
import { refuseSettings } from './refuse_settings.ts'
import { timeText } from './time_text.ts'
import { tokenCommand } from './token_command.ts'

const LISTED_MAX = 100
const SHARED_MAX = 100

type InternalId =
  | 'listInternalConnections'
  | 'createInternalConnection'
  | 'retrieveInternalConnection'
  | 'deleteInternalConnection'
  | 'createInternalConnectionToken'
  | 'searchShareableItems'
  | 'createInternalConnectionShare'
  | 'deleteInternalConnectionShare'

/** The operations about internal connections, for the owners of their workspaces. */
export const internalConnectionHandlers: ConsoleHandlers<InternalId> = {
  listInternalConnections,
  async createInternalConnection({ deps, session, body, now }) {
    const { name, capabilities } = body
    const settings = { workspaceId: canonicalId(body.workspace_id), name, capabilities }
    return deps.database.write(async (db) => {
      const made = await createOwnedInternalConnection(db, session.personId, settings, now).catch(refuseSettings)
      const connection = made && (await findOwnedConnection(db, session.personId, 'internal', made.connectionId))
      if (!connection)
        throw new ServiceError('restricted_resource', { message: 'Only owners of the workspace may create connections in it.' })
      return presentToken(deps, made.token, connection)
    }, settings.workspaceId)
  },
  retrieveInternalConnection,
  async deleteInternalConnection(call) {
    await changeOwnedConnection(call, 'internal', (db, one) => deleteOwnedConnection(db, call.session.personId, one, call.now))
    return listInternalConnections(call)
  },
  async createInternalConnectionToken(call) {
    const { deps, session, now } = call
    return changeOwnedConnection(call, 'internal', async (db, one) =>
      presentToken(deps, await rotateOwnedToken(db, session.personId, one, now).catch(refuseSettings), one),
    )
  },
  async searchShareableItems(call) {
    const { deps, session, query } = call
    const { items, hasMore } = await deps.database.read(async (db) =>
      searchShareable(db, session.personId, await requireOwnedConnection(db, call, 'internal'), query?.text ?? ''),
    )
    const results = items.map(({ emoji, place, ...item }) => ({
      ...{ object: 'shareable_item' as const, ...item, icon: emoji ?? null, container: place ?? null },
    }))
    return { object: 'list', type: 'shareable_item', results, has_more: hasMore }
  },
  async createInternalConnectionShare(call) {
    const itemId = canonicalId(call.body.item_id)
    await changeOwnedConnection(call, 'internal', async (db, one) => {
      if (!(await shareWithOwned(db, call.session.personId, one, itemId, call.now))) throw missingOfConnection()
    })
    return retrieveInternalConnection(call)
  },
  async deleteInternalConnectionShare(call) {
    const itemId = canonicalId(call.path.item_id)
    await changeOwnedConnection(call, 'internal', async (db, one) => {
      if (!(await unshareFromOwned(db, call.session.personId, one, itemId, call.now))) throw missingOfConnection()
    })
    return retrieveInternalConnection(call)
  },
}

async function listInternalConnections({
  deps,
  session,
}: Pick<ConsoleCall<'listInternalConnections'>, 'deps' | 'session'>): Promise<ConsoleResponse<'listInternalConnections'>> {
  const found = await deps.database.read((db) => listOwnedConnections(db, session.personId, 'internal', LISTED_MAX + 1))
  const results = found.slice(0, LISTED_MAX).map(present)
  return { object: 'list', type: 'internal_connection', results, has_more: found.length > LISTED_MAX }
}

async function retrieveInternalConnection(call: OwnedConnectionCall): Promise<ConsoleResponse<'retrieveInternalConnection'>> {
  const { deps, session } = call
  const { connection, shares } = await deps.database.read(async (db) => {
    const found = await requireOwnedConnection(db, call, 'internal')
    return { connection: found, shares: await listOwnedShares(db, session.personId, found, SHARED_MAX) }
  })
  return {
    object: 'internal_connection_details',
    connection: present(connection),
    sees_workspace: shares.seesWorkspace,
    shared: shares.shared.map(({ id, title, emoji }) => ({ id, title, icon: emoji ?? null })),
    other_count: shares.otherCount,
  }
}

function presentToken(
  deps: Dependencies,
  token: string,
  connection: OwnedConnection,
): ConsoleResponse<'createInternalConnectionToken'> {
  return {
    object: 'internal_connection_token',
    token,
    command: tokenCommand(deps, token),
    connection: present(connection),
  }
}

function present({ record, workspaceName }: OwnedConnection): ConsoleResponse<'listInternalConnections'>['results'][number] {
  const { id, workspaceId, name, capabilities, disabledTime, createdTime } = record
  return {
    object: 'internal_connection',
    id,
    workspace: { id: workspaceId, name: workspaceName },
    name,
    capabilities: rightsInWords(capabilities).map(({ words, isGiven }) => ({ words, is_given: isGiven })),
    is_enabled: disabledTime === null,
    created_time: timeText(createdTime),
  }
}
