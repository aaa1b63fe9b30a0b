import type { Connection, Transaction } from '../../store/database.ts'
import { listBots } from '../../store/members.ts'
import { recordOnConnection, type AuditAction, type OwnedConnection } from '../administration/index.ts'
import type { FactScope } from '../content/index.ts'
import { listShares, share, unshare } from '../people/index.ts'
import { memberOf } from '../shared/index.ts'
import { findPicks, searchPages, type PickerItem, type PickerResults } from './picker.ts'

/** What is shared with an internal connection, as an owner of its workspace sees it. */
export interface OwnedShares {
  readonly seesWorkspace: boolean
  /** The first of those pages and databases that the owner can share, in the order in which they were shared. */
  readonly shared: readonly PickerItem[]
  /** The number of other pages and databases. */
  readonly otherCount: number
}

export async function listOwnedShares(
  db: Connection,
  personId: string,
  connection: OwnedConnection,
  limit: number,
): Promise<OwnedShares> {
  const { workspaceId } = connection.record
  const ids = await sharedIds(db, connection)
  const items = ids.filter((id) => id !== workspaceId)
  const shared = await findPicks(scopeOf(db, personId, connection), items.slice(0, limit))
  return { seesWorkspace: items.length < ids.length, shared, otherCount: items.length - shared.length }
}

/** Pages and databases that the owner can share with the connection, by words of their titles, without those that are shared with it. */
export async function searchShareable(
  db: Connection,
  personId: string,
  connection: OwnedConnection,
  text: string,
): Promise<PickerResults> {
  return searchPages(scopeOf(db, personId, connection), text, new Set(await sharedIds(db, connection)))
}

/** Shares a page or database to which the owner has full access. @returns whether there is one */
export async function shareWithOwned(
  db: Transaction,
  personId: string,
  connection: OwnedConnection,
  itemId: string,
  now: number,
): Promise<boolean> {
  const [item] = await findPicks(scopeOf(db, personId, connection), [itemId])
  const botId = await botOf(db, connection)
  if (!item || botId === undefined) return false
  await share(db, connection.record.workspaceId, { botId }, itemId, now)
  await recordShare(db, personId, connection, 'connection.shared', itemId, now)
  return true
}

/**
 * Stops sharing the workspace, or a page or database to which the owner has full access.
 * @returns whether it was shared, as far as the owner can know
 */
export async function unshareFromOwned(
  db: Transaction,
  personId: string,
  connection: OwnedConnection,
  itemId: string,
  now: number,
): Promise<boolean> {
  const { workspaceId } = connection.record
  const [item] = await findPicks(scopeOf(db, personId, connection), [itemId])
  const isKnown = itemId === workspaceId || item !== undefined
  const botId = await botOf(db, connection)
  if (!isKnown || botId === undefined || !(await unshare(db, workspaceId, { botId }, itemId))) return false
  await recordShare(db, personId, connection, 'connection.unshared', itemId, now)
  return true
}

/** The log names items by id: other owners read it, who may not see the title. */
function recordShare(
  db: Transaction,
  personId: string,
  { record }: OwnedConnection,
  action: AuditAction,
  itemId: string,
  now: number,
): Promise<void> {
  return recordOnConnection(db, personId, { ...record, name: `${record.name}: ${itemId}` }, action, now)
}

async function sharedIds(db: Connection, connection: OwnedConnection): Promise<string[]> {
  const botId = await botOf(db, connection)
  if (botId === undefined) return []
  return (await listShares(db, connection.record.workspaceId, { botId })).map(({ itemId }) => itemId)
}

async function botOf(db: Connection, { record }: OwnedConnection): Promise<string | undefined> {
  return (await listBots(db, record.id, record.workspaceId))[0]?.id
}

function scopeOf(db: Connection, personId: string, { record }: OwnedConnection): FactScope {
  return { db, actor: memberOf(record.workspaceId, personId, 'owner'), baseUrl: '' }
}
