import { ServiceError, stateError } from '../../kernel/errors.ts'
import { memberLevels, type AccessLevel } from '../../store/access.ts'
import { findVisibleBlock } from '../../store/blocks.ts'
import { findConnection } from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { listBotsGiven, type SharedBotRow } from '../../store/grants.ts'
import { findMember, listMembers, listMemberships, type MemberRow } from '../../store/members.ts'
import { decidingRule, listMemberAccess, setMemberAccess, unshare, withAncestors, type MemberAccess } from '../people/index.ts'
import { defaultLevel, memberOf, roleOf, type Actor } from '../shared/index.ts'
import { recordAct } from './audit_log.ts'

/** A page or database that an owner of its workspace sees. */
export interface OwnedItem {
  readonly workspaceId: string
  readonly workspaceName: string | null
  readonly id: string
  readonly kind: 'page' | 'database'
  /** The owner as a member. Owners see what no rule closes to them. */
  readonly actor: Actor
  /** The access of the owner. */
  readonly level: AccessLevel
}

interface ExplainedPerson {
  readonly member: MemberRow
  readonly level: AccessLevel
  /** Undefined if the role decides. */
  readonly rule: MemberAccess | undefined
}

interface ExplainedShare {
  readonly bot: SharedBotRow
  readonly person: MemberRow | undefined
  readonly capabilities: readonly string[]
  readonly isEnabled: boolean
}

/** Who has access to an item, and why. */
export interface OwnedItemAccess {
  readonly rules: readonly (MemberAccess & { readonly member: MemberRow | undefined })[]
  /** All members, also those without access; people with a rule of their own first. */
  readonly people: readonly ExplainedPerson[]
  /** Nearest first. */
  readonly shares: readonly ExplainedShare[]
}

/** @returns undefined if the item does not exist, the person does not own its workspace, or a rule closes it to the person */
export async function findOwnedItem(db: Connection, personId: string, id: string): Promise<OwnedItem | undefined> {
  for (const { workspace_id: workspaceId, workspace_name: workspaceName, role } of await listMemberships(db, personId)) {
    if (roleOf(role) !== 'owner') continue
    const actor = memberOf(workspaceId, personId, 'owner')
    const block = await findVisibleBlock(db, actor, id)
    if (block?.type !== 'child_page' && block?.type !== 'child_database') continue
    const kind = block.type === 'child_page' ? 'page' : 'database'
    return { workspaceId, workspaceName, id, kind, actor, level: await levelFor(db, actor, id) }
  }
  return undefined
}

async function levelFor(db: Connection, actor: Actor, id: string): Promise<AccessLevel> {
  return (await memberLevels(db, actor, [id])).get(id) ?? 'none'
}

/** @param sharesMax the maximum number of shares */
export async function describeOwnedAccess(
  db: Connection,
  { workspaceId, id }: OwnedItem,
  sharesMax: number,
): Promise<OwnedItemAccess> {
  const everyone = await listMembers(db, workspaceId)
  const byId = new Map(everyone.map((member) => [member.id, member]))
  const rules = await listMemberAccess(db, workspaceId, id)
  const people = everyone
    .filter((member) => member.left_time === null)
    .map((member): ExplainedPerson => {
      const rule = decidingRule(rules, member.id)
      return { member, rule, level: rule?.level ?? defaultLevel(roleOf(member.role)) }
    })
  const isSpecial = ({ rule, member }: ExplainedPerson): number => Number(rule?.subject === member.id)
  return {
    rules: rules.map((rule) => ({ ...rule, member: byId.get(rule.subject) })),
    people: people.toSorted((one, other) => isSpecial(other) - isSpecial(one)),
    shares: await explainShares(db, workspaceId, id, byId, sharesMax),
  }
}

async function explainShares(
  db: Connection,
  workspaceId: string,
  itemId: string,
  people: ReadonlyMap<string, MemberRow>,
  limit: number,
): Promise<ExplainedShare[]> {
  const chain = [...(await withAncestors(db, workspaceId, itemId)), workspaceId]
  const bots = await listBotsGiven(db, workspaceId, chain, limit)
  const shares: ExplainedShare[] = []
  for (const bot of bots.toSorted((one, other) => chain.indexOf(one.item_id) - chain.indexOf(other.item_id))) {
    const connection = await findConnection(db, bot.connection_id)
    if (connection === undefined) continue
    const { capabilities, disabledTime } = connection
    shares.push({ bot, person: people.get(bot.owner_id ?? ''), capabilities, isEnabled: disabledTime === null })
  }
  return shares
}

/** A person's change of who sees an item. */
interface AccessChange {
  readonly item: OwnedItem
  readonly now: number
}

/** @param subject a member's id, or `everybody` @throws ServiceError if the person may not change the access, or would lose it */
export async function setOwnedRule(
  db: Transaction,
  { item, now }: AccessChange,
  subject: string,
  level: AccessLevel,
): Promise<void> {
  requireFull(item)
  const member = subject === 'everybody' ? undefined : await findMember(db, item.workspaceId, subject)
  if (subject !== 'everybody' && (member === undefined || member.left_time !== null)) throw missing('member of the workspace')
  await setMemberAccess(db, item.workspaceId, item.id, subject, level, now)
  await requireStillFull(db, item)
  await record(db, { item, now }, 'access_rule.set', `${level} for ${member?.email ?? subject}`)
}

/** Removes a rule from the item itself. @throws ServiceError as `setOwnedRule` does, or if there is no such rule */
export async function removeOwnedRule(db: Transaction, { item, now }: AccessChange, subject: string): Promise<void> {
  requireFull(item)
  const { workspaceId, id } = item
  const rules = await listMemberAccess(db, workspaceId, id)
  if (!rules.some((rule) => rule.itemId === id && rule.subject === subject)) throw missing('such rule on this item')
  await setMemberAccess(db, workspaceId, id, subject, null, now)
  await requireStillFull(db, item)
  const member = subject === 'everybody' ? undefined : await findMember(db, workspaceId, subject)
  await record(db, { item, now }, 'access_rule.removed', member?.email ?? subject)
}

/** @throws ServiceError if the person may not change the access, or the item itself is not shared with the bot */
export async function removeOwnedShare(db: Transaction, { item, now }: AccessChange, botId: string): Promise<void> {
  requireFull(item)
  const bot = (await listBotsGiven(db, item.workspaceId, [item.id], BOTS_MAX)).find(({ bot_id: id }) => id === botId)
  if (!bot || !(await unshare(db, item.workspaceId, { botId }, item.id))) throw missing('such share of this item')
  await record(db, { item, now }, 'share.removed', bot.name ?? botId)
}

const BOTS_MAX = 10_000

/** The log names items by id: other owners read it, who may not see the title. */
async function record(
  db: Transaction,
  { item: { workspaceId, id, actor }, now }: AccessChange,
  action: 'access_rule.set' | 'access_rule.removed' | 'share.removed',
  name: string,
): Promise<void> {
  const object = { type: action === 'share.removed' ? 'share' : 'access_rule', id, name }
  await recordAct(db, { workspaceId, personId: actor.userId, action, object }, now)
}

function requireFull({ level, kind }: OwnedItem): void {
  if (level === 'full') return
  const message = `You need full access to this ${kind} to change who sees it.`
  throw new ServiceError('restricted_resource', { message })
}

/** Rejects a change after which the person could not undo it. */
async function requireStillFull(db: Transaction, { actor, id, kind }: OwnedItem): Promise<void> {
  if ((await levelFor(db, actor, id)) === 'full') return
  throw stateError(`You would lose full access to this ${kind} yourself. Give yourself full access first.`)
}

function missing(what: string): ServiceError {
  return new ServiceError('object_not_found', { message: `There is no ${what}. Reload the page.` })
}
