import { deleteRule, listRules, findAncestors, setRule, type AccessLevel } from '../../store/access.ts'
import { findBlock } from '../../store/blocks.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { deleteGrant, insertGrant, listGrants } from '../../store/grants.ts'
import { listBots } from '../../store/members.ts'
import { AdministrationError, type WriteScope } from '../shared/index.ts'

/** An item that is shared with a bot, with everything below it. */
export interface Share {
  readonly botId: string
  /** The id of a page or database, or of the workspace if all of it is shared. */
  readonly itemId: string
  /** In milliseconds since 1970. */
  readonly createdTime: number
}

/** To whom an item is shared: one bot, or all bots of a connection in the workspace. */
type Recipient = { readonly botId: string } | { readonly connectionId: string }

/**
 * Shares a page or database with everything below it, or the whole workspace (by its own id). It takes effect at the next
 * request.
 * @throws AdministrationError if there is no such item, or the connection has no bot in the workspace
 */
export async function share(
  db: Transaction,
  workspaceId: string,
  recipient: Recipient,
  itemId: string,
  now: number,
): Promise<Share[]> {
  await requireItem(db, workspaceId, itemId)
  const shares: Share[] = []
  for (const botId of await botsOf(db, workspaceId, recipient)) {
    await insertGrant(db, workspaceId, botId, itemId, now)
    shares.push({ botId, itemId, createdTime: now })
  }
  return shares
}

/** Revokes a share. It takes effect at the next request. @returns whether there was one */
export async function unshare(db: Transaction, workspaceId: string, recipient: Recipient, itemId: string): Promise<boolean> {
  let found = false
  for (const botId of await botsOf(db, workspaceId, recipient))
    found = (await deleteGrant(db, workspaceId, botId, itemId)) || found
  return found
}

/** The shares of a bot or of the bots of a connection, oldest first. */
export async function listShares(db: Connection, workspaceId: string, recipient: Recipient): Promise<Share[]> {
  const shares: Share[] = []
  for (const botId of await botsOf(db, workspaceId, recipient)) {
    const rows = await listGrants(db, workspaceId, botId)
    shares.push(...rows.map((row) => ({ botId: row.bot_id, itemId: row.item_id, createdTime: row.created_time })))
  }
  return shares
}

async function botsOf(db: Connection, workspaceId: string, recipient: Recipient): Promise<string[]> {
  if ('botId' in recipient) return [recipient.botId]
  const bots = await listBots(db, recipient.connectionId, workspaceId)
  if (bots.length === 0) throw new AdministrationError('This connection has no bot in the workspace.')
  return bots.map(({ id }) => id)
}

async function requireItem(db: Connection, workspaceId: string, itemId: string): Promise<void> {
  if (itemId === workspaceId || (await isPageOrDatabase(db, workspaceId, itemId))) return
  throw new AdministrationError('Only pages and databases of the workspace can be shared, and the workspace itself.')
}

/** Rejects other items: access rules apply to pages and databases. For the workspace as a whole, the role of a member decides. */
async function requirePageOrDatabase(db: Connection, workspaceId: string, itemId: string): Promise<void> {
  if (!(await isPageOrDatabase(db, workspaceId, itemId)))
    throw new AdministrationError(`No page or database of the workspace has the id ${itemId}.`)
}

async function isPageOrDatabase(db: Connection, workspaceId: string, itemId: string): Promise<boolean> {
  const block = await findBlock(db, workspaceId, itemId)
  return block?.type === 'child_page' || block?.type === 'child_database'
}

/**
 * Sets the permission of a member, or of everyone, for a page or database and everything below it. The rule nearest to an item applies; on
 * the same item, a rule for the member takes precedence over one for everyone.
 * @param subject a member's id, or `everybody`
 * @param level null removes the rule
 * @throws AdministrationError if there is no such page or database
 */
export async function setMemberAccess(
  db: Transaction,
  workspaceId: string,
  itemId: string,
  subject: string,
  level: AccessLevel | null,
  now: number,
): Promise<void> {
  await requirePageOrDatabase(db, workspaceId, itemId)
  const subjectId = subject === 'everybody' ? workspaceId : subject
  if (level === null) await deleteRule(db, workspaceId, itemId, subjectId)
  else await setRule(db, workspaceId, itemId, subjectId, level, now)
}

export interface MemberAccess {
  /** The page or database with the rule. */
  readonly itemId: string
  /** A member's id, or `everybody`. */
  readonly subject: string
  readonly level: AccessLevel
}

/**
 * The rules of an item and of all its ancestors, starting with the item. The first that applies to a member or to everyone
 * decides.
 * @throws AdministrationError if there is no such page or database
 */
export async function listMemberAccess(db: Connection, workspaceId: string, itemId: string): Promise<MemberAccess[]> {
  await requirePageOrDatabase(db, workspaceId, itemId)
  const rules: MemberAccess[] = []
  for (const id of await withAncestors(db, workspaceId, itemId)) {
    for (const { subject_id: subject, level } of await listRules(db, workspaceId, id))
      rules.push({ itemId: id, subject: subject === workspaceId ? 'everybody' : subject, level })
  }
  return rules
}

/** The ids of an item and of everything that contains it, from the bottom up. */
export async function withAncestors(db: Connection, workspaceId: string, itemId: string): Promise<string[]> {
  const ancestors = await findAncestors(db, { workspaceId, userId: workspaceId, seesWholeWorkspace: true }, [itemId])
  const chain: string[] = []
  for (let id: string | undefined = itemId; id !== undefined; id = ancestors.get(id)?.parentId) chain.push(id)
  return chain
}

/** The rule that decides about a member. @param rules of an item and its ancestors, nearest first @returns undefined if the role decides */
export function decidingRule(rules: readonly MemberAccess[], personId: string): MemberAccess | undefined {
  const nearest = rules.find(({ subject }) => subject === personId || subject === 'everybody')
  return nearest && (rules.find(({ itemId, subject }) => itemId === nearest.itemId && subject === personId) ?? nearest)
}

/**
 * Restricts a page or database to one member, who gets full access. Rules for other members on the item itself are removed; rules
 * below it and shares with connections stay.
 * @throws AdministrationError if there is no such page or database
 */
export async function closeItem(
  db: Transaction,
  workspaceId: string,
  itemId: string,
  personId: string,
  now: number,
): Promise<void> {
  await requirePageOrDatabase(db, workspaceId, itemId)
  for (const { subject_id: subject } of await listRules(db, workspaceId, itemId)) {
    await deleteRule(db, workspaceId, itemId, subject)
  }
  await makePrivate(db, workspaceId, itemId, personId, now)
}

/** Makes an item at the top of the workspace private to a member. Only bots with which it is shared see it as well. */
export async function makePrivate(
  db: Transaction,
  workspaceId: string,
  itemId: string,
  personId: string,
  now: number,
): Promise<void> {
  await setRule(db, workspaceId, itemId, workspaceId, 'none', now)
  await setRule(db, workspaceId, itemId, personId, 'full', now)
}

/**
 * Makes a new item at the top of the workspace private to the person for whom it was created, and visible to the bot that created it. Does
 * nothing for internal connections.
 */
export async function keepPrivate(scope: WriteScope, itemId: string): Promise<void> {
  const { workspaceId, userId, personId, tokenKind } = scope.actor
  if (personId === undefined) return
  await makePrivate(scope.db, workspaceId, itemId, personId, scope.now)
  if (tokenKind === 'access') await insertGrant(scope.db, workspaceId, userId, itemId, scope.now)
}
