import type { PageObject, PartialPage } from '../../../generated/types.ts'
import { andThen, stepwise, wait, type MaybePromise, type Steps } from '../../kernel/maybe_promise.ts'
import { idsOf, undashed } from '../../kernel/ids.ts'
import { findBlocks, type Block } from '../../store/blocks.ts'
import { findPageRecords, type PageRecord } from '../../store/pages.ts'
import { databasesAround, presentEdits, presentParent } from '../blocks/present.ts'
import { hasColumns, loadDataSources } from '../data_sources/load.ts'
import { presentCover, presentIcon, type StoredCover, type StoredIcon } from '../icons/icons.ts'
import { REFERENCES_MAX } from '../properties/limits.ts'
import { findById, findProperty } from '../properties/stored.ts'
import type { Facts } from '../rich_text/facts.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { plainText, presentWithFewNames } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { presentRows } from '../rows/present.ts'
import type { Row } from '../rows/row.ts'
import type { Scope } from '../scope.ts'

/** The properties that a response includes, by id or also by name; undefined for all. */
interface PropertyFilter {
  readonly keys: readonly string[]
  readonly byName: boolean
}

/**
 * A page as it is visible to the caller: complete with the read-content capability, otherwise only its id.
 * @param filter the ids of the properties to return, percent-encoded or not; undefined for all
 */
export function presentPage(
  scope: Scope,
  block: Block,
  filter: readonly string[] | undefined,
): MaybePromise<PageObject | PartialPage> {
  const presented = presentPageBlocks(scope, [block], filter && { keys: filter, byName: false })
  return andThen(presented, ([page]) => page ?? { object: 'page', id: block.id })
}

/** Like `presentPage`, of a page outside data sources whose stored parts are at hand. */
export function presentNewPage(
  scope: Scope,
  row: Row,
  filter: readonly string[] | undefined,
): MaybePromise<PageObject | PartialPage> {
  if (!scope.actor.capabilities.has('read_content')) return { object: 'page', id: row.block.id }
  const presented = presentStored(scope, [row], filter && { keys: filter, byName: false })
  return andThen(presented, ([page]) => page ?? { object: 'page', id: row.block.id })
}

/** Complete pages in the given order. Ids that name no page are omitted. */
export async function presentPages(scope: Scope, ids: readonly string[]): Promise<PageObject[]> {
  const blocks = await findBlocks(scope.db, scope.actor.workspaceId, ids)
  const pages = ids.flatMap((id) => blocks.get(id) ?? []).filter(({ type }) => type === 'child_page')
  return presentInFull(scope, pages, undefined)
}

/** Pages in the given order, as they are visible to the caller. What they refer to is fetched for all of them together. */
export function presentPageBlocks(
  scope: Scope,
  blocks: readonly Block[],
  filter: PropertyFilter | undefined,
): MaybePromise<(PageObject | PartialPage)[]> {
  if (!scope.actor.capabilities.has('read_content')) return blocks.map(({ id }) => ({ object: 'page', id }))
  return presentInFull(scope, blocks, filter)
}

const presentInFull = stepwise(function* (
  scope: Scope,
  blocks: readonly Block[],
  filter: PropertyFilter | undefined,
): Steps<PageObject[]> {
  const records = yield* wait(findPageRecords(scope.db, scope.actor.workspaceId, idsOf(blocks)))
  const rows = blocks.map((block): Row => ({ block, ...recordOf(records, block) }))
  return yield* wait(presentStored(scope, rows, filter))
})

const presentStored = stepwise(function* (
  scope: Scope,
  rows: readonly Row[],
  filter: PropertyFilter | undefined,
): Steps<PageObject[]> {
  const blocks = rows.map(({ block }) => block)
  const values = rows.flatMap(({ block, icon, cover }) => [block.content['title'], icon, cover])
  const facts = yield* wait(gatherFacts(scope, values))
  const databases = yield* wait(databasesAround(scope, blocks))
  const ofRows = rows.some(({ block }) => hasColumns(block))
    ? yield* wait(presentRowsBySource(scope, rows, filter))
    : new Map<string, FoundRow>()
  return rows.map((row) => {
    const found = ofRows.get(row.block.id)
    const page = presentCommon(scope, row, facts, databases)
    return found
      ? { ...page, in_trash: page.in_trash || found.inTrash, properties: found.properties }
      : { ...page, properties: titleOf(row.block, facts, filter) }
  })
})

function recordOf(records: ReadonlyMap<string, PageRecord>, { id }: Block): PageRecord {
  const record = records.get(id)
  if (!record) throw new Error(`page ${id} has no row of its own`)
  return record
}

interface FoundRow {
  readonly properties: PageObject['properties']
  /** Whether an ancestor of the row, with which it was trashed, is in the trash. */
  readonly inTrash: boolean
}

async function presentRowsBySource(
  scope: Scope,
  pages: readonly Row[],
  filter: PropertyFilter | undefined,
): Promise<Map<string, FoundRow>> {
  const found = new Map<string, FoundRow>()
  const rows = pages.filter(({ block }) => hasColumns(block))
  const sourceIds = rows.map(({ block }) => block.parentId)
  for (const dataSource of (await loadDataSources(scope, sourceIds)).values()) {
    const find = filter?.byName ? findProperty : findById
    const shown = filter && new Set(filter.keys.flatMap((key) => find(dataSource.properties, key)?.id ?? []))
    const own = rows.filter(({ block }) => block.parentId === dataSource.id)
    for (const [id, properties] of await presentRows(scope, dataSource, own, shown)) {
      found.set(id, { properties, inTrash: dataSource.inTrash })
    }
  }
  return found
}

function presentCommon(
  scope: Scope,
  { block, ...page }: Row,
  facts: Facts,
  databases: ReadonlyMap<string, string>,
): Omit<PageObject, 'properties'> {
  const title = block.content['title'] as StoredRichText
  return {
    object: 'page',
    id: block.id,
    ...presentEdits(block),
    in_trash: block.inTrash,
    is_archived: page.isArchived,
    is_locked: page.isLocked,
    url: pageUrl(scope.baseUrl, plainText(title, facts), block.id),
    public_url: null,
    parent: presentParent(block, databases),
    icon: presentIcon(page.icon as StoredIcon | null, facts),
    cover: presentCover(page.cover as StoredCover | null, facts),
  }
}

/** The title, which is the only property of a page outside data sources. */
function titleOf(block: Block, facts: Facts, filter: PropertyFilter | undefined): PageObject['properties'] {
  if (filter !== undefined && !filter.keys.includes('title')) return {}
  const title = presentWithFewNames(block.content['title'] as StoredRichText, facts, REFERENCES_MAX)
  return { title: { id: 'title', type: 'title', title } }
}

/** The address of a page. @param title plain text */
export function pageUrl(baseUrl: string, title: string, id: string): string {
  return `${baseUrl}/${slug(title)}${undashed(id)}`
}

/** The title in the form for addresses, followed by a dash; empty for an empty title. */
function slug(title: string): string {
  const words = title.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-|-$/g, '')
  return words === '' ? '' : `${words}-`
}
