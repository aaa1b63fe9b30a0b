import { findConnection, type ConnectionRecord } from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { listGrants } from '../../store/grants.ts'
import { listAuthorizedBots, listMemberships, type AuthorizedBotRow, type MembershipRow } from '../../store/members.ts'
import { memberOf, roleOf } from '../shared/index.ts'
import { recordAct, removeBot } from '../administration/index.ts'
import { findPicks, type PickerItem } from './picker.ts'

/** A connection that a person has authorized in a workspace. */
export interface Authorization {
  readonly workspaceId: string
  readonly workspaceName: string | null
  readonly botId: string
  readonly connection: Pick<ConnectionRecord, 'name' | 'iconUrl' | 'capabilities' | 'developerName'>
  /** When the person first authorized it, in milliseconds since 1970. */
  readonly authorizedTime: number
  /** How many pages and databases are shared with the connection, each with everything below it. */
  readonly sharedCount: number
  readonly sharesWorkspace: boolean
  /** The first of the shared pages and databases that the person can see. */
  readonly shared: readonly PickerItem[]
}

/** The maximum number of authorizations that are listed: more than anyone is likely to have. Newer ones come first. */
const AUTHORIZATIONS_MAX = 200
const SHARED_SHOWN_MAX = 5

/** The connections that a person has authorized, by workspace, newest first. */
export async function listAuthorizations(db: Connection, personId: string): Promise<Authorization[]> {
  const found: Authorization[] = []
  for (const membership of await listMemberships(db, personId)) {
    const rest = AUTHORIZATIONS_MAX - found.length
    for (const bot of await listAuthorizedBots(db, membership.workspace_id, personId, rest)) {
      const connection = await findConnection(db, bot.connection_id)
      if (connection) found.push(await describe(db, membership, personId, bot, connection))
    }
  }
  return found
}

async function describe(
  db: Connection,
  { workspace_id: workspaceId, workspace_name: workspaceName, role }: MembershipRow,
  personId: string,
  bot: AuthorizedBotRow,
  connection: ConnectionRecord,
): Promise<Authorization> {
  const grants = await listGrants(db, workspaceId, bot.id)
  const first = grants.slice(0, SHARED_SHOWN_MAX).map(({ item_id: id }) => id)
  return {
    workspaceId,
    workspaceName,
    botId: bot.id,
    connection,
    authorizedTime: bot.created_time,
    sharedCount: grants.length,
    sharesWorkspace: grants.some(({ item_id: id }) => id === workspaceId),
    shared: await findPicks({ db, actor: memberOf(workspaceId, personId, roleOf(role)), baseUrl: '' }, first),
  }
}

/**
 * Revokes a person's own authorization: its tokens stop at once, and nothing is shared with the connection any longer.
 * @returns whether there was one
 */
export async function revokeAuthorization(
  db: Transaction,
  personId: string,
  { workspaceId, botId }: Pick<Authorization, 'workspaceId' | 'botId'>,
  now: number,
): Promise<boolean> {
  const own = await listAuthorizedBots(db, workspaceId, personId, AUTHORIZATIONS_MAX)
  const bot = own.find(({ id }) => id === botId)
  if (!bot) return false
  const connection = await findConnection(db, bot.connection_id)
  await removeBot(db, workspaceId, botId, now)
  const object = { type: 'connection', id: bot.connection_id, name: connection?.name }
  await recordAct(db, { workspaceId, personId, action: 'connection.access_removed', object }, now)
  return true
}
