import {
  describeOwnedAccess,
  describeOwnAccount,
  findOwnedItem,
  removeOwnedRule,
  removeOwnedShare,
  setOwnedRule,
  type OwnedItem,
  type OwnedItemAccess,
} from '../../domain/administration/index.ts'
import { plainTitles } from '../../domain/content/index.ts'
import { searchPages, type PickerItem } from '../../domain/oauth/index.ts'
import { memberOf, type Transaction } from '../../domain/shared/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId, idIn } from '../../kernel/ids.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'

const PEOPLE_MAX = 200
const SHARES_MAX = 200
/** The length of an id without dashes, as in addresses. */
const ID_LENGTH = 32

type AccessId = 'searchItems' | 'retrieveItemAccess' | 'updateAccessRule' | 'deleteAccessRule' | 'deleteItemShare'
type ItemCall = Pick<ConsoleCall<'updateAccessRule'>, 'deps' | 'session' | 'now'> & {
  readonly path: { readonly item_id: string }
}
type Db = Parameters<typeof findOwnedItem>[0]
type Access = ConsoleResponse<'retrieveItemAccess'>

/** The operations about who sees the pages and databases of the workspaces that the person owns. */
export const accessHandlers: ConsoleHandlers<AccessId> = {
  searchItems,
  async retrieveItemAccess(call) {
    const { deps, session, path, query } = call
    return deps.database.read(async (db) => {
      const item = await findOwnedItem(db, session.personId, canonicalId(path.item_id))
      if (!item) throw missing()
      return present(db, item, query.name)
    })
  },
  async updateAccessRule(call) {
    const { path, body, now } = call
    return change(call, (db, item) => setOwnedRule(db, { item, now }, subjectOf(path.subject), body.level))
  },
  async deleteAccessRule(call) {
    const { path, now } = call
    return change(call, (db, item) => removeOwnedRule(db, { item, now }, subjectOf(path.subject)))
  },
  async deleteItemShare(call) {
    const { path, now } = call
    return change(call, (db, item) => removeOwnedShare(db, { item, now }, canonicalId(path.bot_id)))
  },
}

function subjectOf(text: string): string {
  return idIn(text) ?? text
}

/** Changes the access to an item while no other writer changes its workspace. */
async function change(
  { deps, session, path }: ItemCall,
  work: (db: Transaction, item: OwnedItem) => Promise<void>,
): Promise<Access> {
  const id = canonicalId(path.item_id)
  const before = await deps.database.read((db) => findOwnedItem(db, session.personId, id))
  if (!before) throw missing()
  return deps.database.write(async (db) => {
    const item = await findOwnedItem(db, session.personId, id)
    if (!item) throw missing()
    await work(db, item)
    return present(db, item)
  }, before.workspaceId)
}

function missing(): ServiceError {
  const message = 'There is no page or database with this id that you may see.'
  return new ServiceError('object_not_found', { message })
}

type FoundItem = ConsoleResponse<'searchItems'>['results'][number]

async function searchItems({ deps, session, query }: ConsoleCall<'searchItems'>): Promise<ConsoleResponse<'searchItems'>> {
  const text = query.text ?? ''
  const id = idOfLink(text)
  return deps.database.read(async (db) => {
    const results: FoundItem[] = []
    if (id !== undefined) {
      const item = await findOwnedItem(db, session.personId, id)
      if (item) results.push(await presentFound(db, item))
      return { object: 'list', type: 'found_item', results, has_more: false }
    }
    let hasMore = false
    const { workspaces } = await describeOwnAccount(db, session.personId)
    for (const { id: workspaceId, name } of workspaces.filter(({ role }) => role === 'owner')) {
      const actor = memberOf(workspaceId, session.personId, 'owner')
      const found = await searchPages({ db, actor, baseUrl: '' }, text, new Set())
      results.push(...found.items.map((item) => presentPick(item, { id: workspaceId, name })))
      hasMore ||= found.hasMore
    }
    return { object: 'list', type: 'found_item', results, has_more: hasMore }
  })
}

/** The id in the last part of the path of a page's address, after words of the title, or the id that the text is. */
function idOfLink(text: string): string | undefined {
  const [path = ''] = text.trim().split(/[?#]/, 1)
  const last = path.slice(path.lastIndexOf('/') + 1)
  return /\s/.test(last) ? undefined : (idIn(last) ?? idIn(last.slice(-ID_LENGTH)))
}

function presentPick({ id, kind, title, emoji, place }: PickerItem, workspace: FoundItem['workspace']): FoundItem {
  return { object: 'found_item', id, kind, title, icon: emoji ?? null, container: place ?? null, workspace }
}

async function presentFound(db: Db, { id, kind, actor, workspaceId, workspaceName }: OwnedItem): Promise<FoundItem> {
  const title = (await plainTitles({ db, actor, baseUrl: '' }, [id])).get(id) || 'Untitled'
  const workspace = { id: workspaceId, name: workspaceName }
  return { object: 'found_item', id, kind, title, icon: null, container: null, workspace }
}

/** @param name lists only people whose name or email address contains it */
async function present(db: Db, item: OwnedItem, name = ''): Promise<Access> {
  const access = await describeOwnedAccess(db, item, SHARES_MAX + 1)
  const titled = [item.id, ...access.rules.map(({ itemId }) => itemId), ...access.shares.map(({ bot }) => bot.item_id)]
  const titles = await plainTitles({ db, actor: item.actor, baseUrl: '' }, [...new Set(titled)])
  const shown = (id: string): { id: string; title: string | null } => {
    const title = titles.get(id)
    return { id, title: title === undefined ? null : title || 'Untitled' }
  }
  const matching = access.people.filter(({ member }) => matches(member, name))
  return {
    object: 'item_access',
    item: shown(item.id),
    kind: item.kind,
    workspace: { id: item.workspaceId, name: item.workspaceName },
    may_change: item.level === 'full',
    rules: access.rules.map(({ itemId, subject, level, member }) => ({
      object: 'access_rule',
      ...{ item: shown(itemId), is_own: itemId === item.id, subject, level },
      ...{ name: member?.name ?? null, has_left: subject !== 'everybody' && member?.left_time !== null },
    })),
    people: matching.slice(0, PEOPLE_MAX).map((one) => presentPerson(one, shown)),
    people_count: access.people.filter(({ level }) => level !== 'none').length,
    has_more_people: matching.length > PEOPLE_MAX,
    connections: access.shares.slice(0, SHARES_MAX).map((one) => presentShare(one, item, shown)),
    has_more_connections: access.shares.length > SHARES_MAX,
  }
}

type Shown = (id: string) => { id: string; title: string | null }

function matches({ name, email }: OwnedItemAccess['people'][number]['member'], text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return [name, email].some((one) => (one ?? '').toLowerCase().includes(wanted))
}

function presentPerson({ member, level, rule }: OwnedItemAccess['people'][number], shown: Shown): Access['people'][number] {
  const { id, name, email, role } = member
  const reason = rule === undefined ? 'role' : rule.subject === 'everybody' ? 'rule_for_everybody' : 'rule_for_person'
  return { object: 'person_access', id, name, email, role, level, reason, item: rule === undefined ? null : shown(rule.itemId) }
}

function presentShare(
  { bot, person, capabilities, isEnabled }: OwnedItemAccess['shares'][number],
  { id, workspaceId }: OwnedItem,
  shown: Shown,
): Access['connections'][number] {
  return {
    object: 'connection_access',
    bot_id: bot.bot_id,
    name: bot.name,
    person: person === undefined ? null : { id: person.id, name: person.name },
    is_enabled: isEnabled,
    may_read: capabilities.includes('read_content'),
    may_write: capabilities.includes('insert_content') || capabilities.includes('update_content'),
    item: bot.item_id === workspaceId ? null : shown(bot.item_id),
    is_own: bot.item_id === id,
  }
}
