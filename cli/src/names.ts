import { normalEmail } from '@workspace-service/server/domain/administration/index.ts'
import { findAccountByEmail } from '@workspace-service/server/store/accounts.ts'
import type { Connection } from '@workspace-service/server/store/database.ts'
import { idIn } from '@workspace-service/server/kernel/ids.ts'
import {
  listNamedAgents,
  listNamedConnections,
  listNamedItems,
  listNamedPeople,
  listNamedSubscriptions,
  type Named,
} from '@workspace-service/server/store/names.ts'
import { listGroups } from '@workspace-service/server/store/members.ts'
import { CommandError, usageError } from './exit_codes.ts'

/** A kind of record that has ids and names. */
interface Kind {
  readonly one: string
  readonly many: string
  /** The command that lists all of them, if any. */
  readonly list?: string
}

/**
 * The only record with this name. Capitals are ignored, unless two names differ only in them.
 * @throws CommandError when there is none, or more than one to choose from
 */
export function chooseByName<Row extends Named>(text: string, rows: readonly Row[], { one, many, list }: Kind): Row {
  const name = text.trim()
  const alike = rows.filter((row) => row.name?.trim().toLowerCase() === name.toLowerCase())
  const exact = alike.filter((row) => row.name?.trim() === name)
  const [found, ...others] = exact.length > 0 ? exact : alike
  if (!found)
    throw new CommandError(
      `No ${one} is named "${name}". ${list === undefined ? 'Give its title or its id.' : `List all with: workspace-service ${list}`}`,
    )
  if (others.length === 0) return found
  const ids = [found, ...others].map((row) => `${row.id} (${row.name ?? ''})`)
  throw usageError(`${ids.length} ${many} are named "${name}". Choose one by its id: ${ids.join(', ')}`)
}

/**
 * The id of a connection, given by id or name.
 * @throws CommandError when no name matches, or several do
 */
export async function connectionOf(db: Connection, text: string): Promise<string> {
  const kind = { one: 'connection', many: 'connections', list: 'connection list' }
  return idIn(text) ?? chooseByName(text, await listNamedConnections(db), kind).id
}

/** As `connectionOf`, for a person, who may also be given by email address, or a connection. A bot has an id only. */
export async function auditedActorOf(db: Connection, text: string): Promise<string> {
  const id = idIn(text) ?? (text.includes('@') ? (await findAccountByEmail(db, normalEmail(text)))?.id : undefined)
  const kind = { one: 'person or connection', many: 'people and connections' }
  return id ?? chooseByName(text, [...(await listNamedPeople(db)), ...(await listNamedConnections(db))], kind).id
}

/** As `connectionOf`, for a group of a workspace. */
export async function groupOf(db: Connection, workspaceId: string, text: string): Promise<string> {
  const kind = { one: 'group', many: 'groups', list: 'group list' }
  return idIn(text) ?? chooseByName(text, await listGroups(db, workspaceId), kind).id
}

/** As `connectionOf`, for an agent of a workspace. */
export async function agentOf(db: Connection, workspaceId: string, text: string): Promise<string> {
  const kind = { one: 'agent', many: 'agents', list: 'agent list' }
  return idIn(text) ?? chooseByName(text, await listNamedAgents(db, workspaceId), kind).id
}

/** As `connectionOf`, for a webhook subscription, which may also be given by the address that it delivers to. */
export async function subscriptionOf(db: Connection, text: string): Promise<string> {
  const id = idIn(text)
  if (id !== undefined) return id
  const rows = await listNamedSubscriptions(db)
  const named = rows.map((row) => (row.url === text.trim() ? { ...row, name: row.url } : row))
  return chooseByName(text, named, { one: 'webhook subscription', many: 'webhook subscriptions', list: 'webhook list' }).id
}

/** As `connectionOf`, for a page or database that is not in the trash, by its title. */
export async function itemNamed(db: Connection, workspaceId: string, text: string): Promise<string> {
  const kind = { one: 'page or database', many: 'pages and databases' }
  return idIn(text) ?? chooseByName(text, await listNamedItems(db, workspaceId, text), kind).id
}
