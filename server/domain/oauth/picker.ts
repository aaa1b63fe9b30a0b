import { memberLevels } from '../../store/access.ts'
import { findBlocks, findTitles, type Block } from '../../store/blocks.ts'
import { listPagesByEdit, trashedAmong, type EditPosition } from '../../store/page_search.ts'
import { findIcons } from '../../store/pages.ts'
import { gatherFacts, type FactScope } from '../rich_text/gather.ts'
import { plainText } from '../rich_text/read.ts'
import type { StoredRichText } from '../rich_text/stored.ts'

/** A page or database that a member can share. */
export interface PickerItem {
  readonly id: string
  readonly kind: 'page' | 'database'
  readonly title: string
  /** An emoji, when that is its icon. */
  readonly emoji: string | undefined
  /** Title of the page that it stands on. */
  readonly place: string | undefined
}

export interface PickerResults {
  readonly items: readonly PickerItem[]
  /** There are others besides those shown. */
  readonly hasMore: boolean
}

const ITEMS_SHOWN_MAX = 20
const BATCH = 100
/** So far the search looks back, counted in pages that pass the sieve. */
const LOOKED_AT_MAX = 5_000

/** Pages and databases that the member has full access to and whose title holds every word, last edited first. */
export async function searchPages(scope: FactScope, search: string, except: ReadonlySet<string>): Promise<PickerResults> {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const sieve = words.flatMap((word) => word.match(/[a-z0-9]{2,}/g)?.slice(0, 1) ?? [])
  const items: PickerItem[] = []
  let before: EditPosition | undefined
  for (let looked = 0; looked < LOOKED_AT_MAX; looked += BATCH) {
    const blocks = await listPagesByEdit(scope.db, scope.actor.workspaceId, sieve, before, BATCH)
    const described = await describe(
      scope,
      blocks.filter(({ id }) => !except.has(id)),
    )
    items.push(...described.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))))
    const last = blocks.at(-1)
    if (items.length > ITEMS_SHOWN_MAX || blocks.length < BATCH || !last) break
    before = { time: last.lastEditedTime, id: last.id }
  }
  return { items: items.slice(0, ITEMS_SHOWN_MAX), hasMore: items.length > ITEMS_SHOWN_MAX }
}

/** Those of the ids that name something the member can share, in the given order. */
export async function readPicks(scope: FactScope, ids: readonly string[]): Promise<PickerItem[]> {
  const found = await findBlocks(scope.db, scope.actor.workspaceId, ids)
  return describe(
    scope,
    ids.flatMap((id) => found.get(id) ?? []),
  )
}

async function describe(scope: FactScope, candidates: readonly Block[]): Promise<PickerItem[]> {
  const { workspaceId } = scope.actor
  const pages = candidates.filter(({ type }) => type === 'child_page' || type === 'child_database')
  const ids = pages.map(({ id }) => id)
  const [levels, trashed] = [await memberLevels(scope.db, scope.actor, ids), await trashedAmong(scope.db, workspaceId, ids)]
  const shown = pages.filter(({ id }) => levels.get(id) === 'full' && !trashed.has(id))
  const icons = await findIcons(
    scope.db,
    workspaceId,
    shown.map(({ id }) => id),
  )
  const places = await readPlaces(scope, shown)
  const facts = await gatherFacts(
    scope,
    shown.map(({ content }) => content['title']),
  )
  return shown.map((block) => ({
    id: block.id,
    kind: block.type === 'child_database' ? 'database' : 'page',
    title: plainText(titleOf(block.content['title']), facts) || 'Untitled',
    emoji: emojiOf(icons.get(block.id)),
    place: block.pageId === null ? undefined : places.get(block.pageId),
  }))
}

/** Titles of the pages around, of those that the member can see. */
async function readPlaces(scope: FactScope, blocks: readonly Block[]): Promise<Map<string, string>> {
  const ids = [...new Set(blocks.flatMap(({ pageId }) => pageId ?? []))]
  const levels = await memberLevels(scope.db, scope.actor, ids)
  const titles = await findTitles(
    scope.db,
    scope.actor.workspaceId,
    ids.filter((id) => (levels.get(id) ?? 'none') !== 'none'),
  )
  const facts = await gatherFacts(scope, [...titles.values()])
  return new Map([...titles].map(([id, title]) => [id, plainText(titleOf(title), facts) || 'Untitled']))
}

function titleOf(stored: unknown): StoredRichText {
  return Array.isArray(stored) ? (stored as StoredRichText) : []
}

function emojiOf(icon: unknown): string | undefined {
  return typeof icon === 'object' && icon !== null && 'emoji' in icon && typeof icon.emoji === 'string' ? icon.emoji : undefined
}
