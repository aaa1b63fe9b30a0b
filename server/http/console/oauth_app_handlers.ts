import {
  changeRedirectUris,
  createOwnedApp,
  deleteOwnedConnection,
  findOwnedConnection,
  listAppAuthorizations,
  listOwnedConnections,
  revokeAppAuthorization,
  rotateOwnedSecret,
  workspaceOfAuthorization,
  type AppAuthorization,
  type OwnedConnection,
} from '../../domain/administration/index.ts'
import type { Transaction } from '../../domain/shared/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { Dependencies } from '../dependencies.ts'
import { rightsInWords } from '../oauth/rights_in_words.ts'
import { AUTHORIZE_PATH } from '../oauth/site_paths.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import {
  changeOwnedConnection,
  missingOfConnection,
  requireOwnedConnection,
  type OwnedConnectionCall,
} from './owned_connection.ts'
import { refuseSettings } from './refuse_settings.ts'
import { timeText } from './time_text.ts'

const LISTED_MAX = 100

type AppId =
  | 'listOAuthApps'
  | 'createOAuthApp'
  | 'retrieveOAuthApp'
  | 'updateOAuthApp'
  | 'deleteOAuthApp'
  | 'createOAuthAppSecret'
  | 'deleteOAuthAppAuthorization'

/** The operations about OAuth apps, for the owners of their workspaces. */
export const oauthAppHandlers: ConsoleHandlers<AppId> = {
  listOAuthApps,
  async createOAuthApp({ deps, session, body, now }) {
    const { name, capabilities, redirect_uris: redirectUris } = body
    const settings = { workspaceId: canonicalId(body.workspace_id), name, capabilities, redirectUris }
    return deps.database.write(async (db) => {
      const made = await createOwnedApp(db, session.personId, settings, now).catch(refuseSettings)
      const app = made && (await findOwnedConnection(db, session.personId, 'public', made.connectionId))
      if (!app)
        throw new ServiceError('restricted_resource', { message: 'Only owners of the workspace may create OAuth apps in it.' })
      return { object: 'oauth_app_secret', client_secret: made.clientSecret, oauth_app: present(deps, app) }
    }, settings.workspaceId)
  },
  retrieveOAuthApp,
  async updateOAuthApp(call) {
    const { session, body, now } = call
    await changeOwnedConnection(call, 'public', (db, app) =>
      changeRedirectUris(db, session.personId, app, body.redirect_uris, now).catch(refuseSettings),
    )
    return retrieveOAuthApp(call)
  },
  async deleteOAuthApp(call) {
    await changeOwnedConnection(call, 'public', (db, app) => deleteOwnedConnection(db, call.session.personId, app, call.now))
    return listOAuthApps(call)
  },
  async createOAuthAppSecret(call) {
    return changeOwnedConnection(call, 'public', async (db, app) => ({
      object: 'oauth_app_secret',
      client_secret: await rotateOwnedSecret(db, call.session.personId, app, call.now),
      oauth_app: present(call.deps, app),
    }))
  },
  async deleteOAuthAppAuthorization(call) {
    const { session, path, now } = call
    const botId = canonicalId(path.bot_id)
    const revoke = async (db: Transaction, app: OwnedConnection): Promise<void> => {
      if (!(await revokeAppAuthorization(db, session.personId, app, botId, now))) throw missingOfConnection()
    }
    await changeOwnedConnection(call, 'public', revoke, (db, app) => workspaceOfAuthorization(db, app, botId))
    return retrieveOAuthApp(call)
  },
}

async function listOAuthApps({
  deps,
  session,
}: Pick<ConsoleCall<'listOAuthApps'>, 'deps' | 'session'>): Promise<ConsoleResponse<'listOAuthApps'>> {
  const found = await deps.database.read((db) => listOwnedConnections(db, session.personId, 'public', LISTED_MAX + 1))
  const results = found.slice(0, LISTED_MAX).map((app) => present(deps, app))
  return { object: 'list', type: 'oauth_app', results, has_more: found.length > LISTED_MAX }
}

async function retrieveOAuthApp(call: OwnedConnectionCall): Promise<ConsoleResponse<'retrieveOAuthApp'>> {
  const { deps, session } = call
  const { app, authorizations } = await deps.database.read(async (db) => {
    const found = await requireOwnedConnection(db, call, 'public')
    return { app: found, authorizations: await listAppAuthorizations(db, session.personId, found, LISTED_MAX + 1) }
  })
  return {
    object: 'oauth_app_details',
    oauth_app: present(deps, app),
    authorizations: authorizations.slice(0, LISTED_MAX).map(presentAuthorization),
    has_more: authorizations.length > LISTED_MAX,
  }
}

function present(
  { baseUrl }: Dependencies,
  { record, workspaceName }: OwnedConnection,
): ConsoleResponse<'listOAuthApps'>['results'][number] {
  const { id, name, clientId, redirectUris, capabilities } = record
  const parameters = { client_id: clientId ?? '', redirect_uri: redirectUris[0] ?? '', response_type: 'code', owner: 'user' }
  return {
    object: 'oauth_app',
    id,
    workspace: { id: record.workspaceId, name: workspaceName },
    name,
    client_id: clientId ?? '',
    redirect_uris: [...redirectUris],
    capabilities: rightsInWords(capabilities).map(({ words, isGiven }) => ({ words, is_given: isGiven })),
    authorization_url: `${baseUrl()}${AUTHORIZE_PATH}?${new URLSearchParams(parameters)}`,
    is_enabled: record.disabledTime === null,
    created_time: timeText(record.createdTime),
  }
}

function presentAuthorization({
  botId,
  workspace,
  person,
  authorizedTime,
}: AppAuthorization): ConsoleResponse<'retrieveOAuthApp'>['authorizations'][number] {
  return { object: 'oauth_app_authorization', bot_id: botId, workspace, person, authorized_time: timeText(authorizedTime) }
}
