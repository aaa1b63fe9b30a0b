import { fitOf, parseTitleQuery } from '../../kernel/words.ts'
import { memberLevels } from '../../store/access.ts'
import { findBlocks, findTitles, type Block } from '../../store/blocks.ts'
import { trashedAmong } from '../../store/trash.ts'
import { findIcons } from '../../store/pages.ts'
import { gatherFacts, plainText, type FactScope, type StoredRichText } from '../content/index.ts'
import { searchLimits, ranked, TitleVisibility, type SearchLimits } from '../data/index.ts'

/** A page or database that a member can share. */
export interface PickerItem {
  readonly id: string
  readonly kind: 'page' | 'database'
  readonly title: string
  /** The icon, if it is an emoji. */
  readonly emoji: string | undefined
  /** The title of the page that contains it. */
  readonly place: string | undefined
}

export interface PickerResults {
  readonly items: readonly PickerItem[]
  /** Whether there are more items than these. */
  readonly hasMore: boolean
}

const ITEMS_SHOWN_MAX = 20
const BATCH = 100
/** The limits of one search. For members who can share only few pages, the results are marked as incomplete; they can search. */
const limits: SearchLimits = { ...searchLimits, scanned: 100_000, checked: 5_000 }

/** Pages and databases to which the member has full access and whose title contains every word, last edited first. */
export async function searchPages(scope: FactScope, search: string, except: ReadonlySet<string>): Promise<PickerResults> {
  const { db, actor } = scope
  const query = parseTitleQuery(search)
  if (query?.parts.length === 0) return { items: [], hasMore: false }
  const field = { workspaceId: actor.workspaceId, kinds: ['page', 'database'], inTrash: false } as const
  const visibility = new TitleVisibility(db, actor, false)
  const items: PickerItem[] = []
  const wanted = ITEMS_SHOWN_MAX + 1
  for await (const batch of ranked({ db, field, query, order: 'descending', visibility, limits, wanted }, undefined)) {
    if (batch === 'too deep' || visibility.checked > limits.checked) break
    const visible = await visibility.among(batch.map(({ row }) => row))
    const ids = batch
      .filter(({ row }) => visible.has(row.id) && !except.has(row.id))
      .filter(({ row }) => query === undefined || fitOf(row.words, query) !== 'some')
      .map(({ row }) => row.id)
    for (let start = 0; start < ids.length && items.length <= ITEMS_SHOWN_MAX; start += BATCH) {
      items.push(...(await findPicks(scope, ids.slice(start, start + BATCH))))
    }
    if (items.length > ITEMS_SHOWN_MAX) break
  }
  return { items: items.slice(0, ITEMS_SHOWN_MAX), hasMore: items.length > ITEMS_SHOWN_MAX }
}

/** The items with these ids that the member can share, in the given order. */
export async function findPicks(scope: FactScope, ids: readonly string[]): Promise<PickerItem[]> {
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
  const places = await findPlaces(scope, shown)
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

/** The titles of the pages that contain the blocks, as far as the member sees those pages. */
async function findPlaces(scope: FactScope, blocks: readonly Block[]): Promise<Map<string, string>> {
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
