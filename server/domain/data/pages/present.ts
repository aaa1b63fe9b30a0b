import type { PageObject, PartialPage } from '../../../../generated/types.ts'
import { idsOf, undashed } from '../../../kernel/ids.ts'
import { findBlocks, type Block } from '../../../store/blocks.ts'
import { findPageRecords } from '../../../store/pages.ts'
import {
  databasesAround,
  presentEdits,
  presentParent,
  presentCover,
  presentIcon,
  gatherFacts,
  plainText,
  presentWithFewNames,
  type StoredCover,
  type StoredIcon,
  type Facts,
  type StoredRichText,
} from '../../content/index.ts'
import { hasColumns, loadDataSources } from '../data_sources/load.ts'
import { REFERENCES_MAX } from '../properties/references_max.ts'
import { findProperty } from '../properties/stored.ts'
import { presentRows } from '../rows/present.ts'
import { rowWith, type Row } from '../rows/row.ts'
import type { Scope } from '../../shared/index.ts'

/** The properties that a response includes, by name or id, percent-encoded or not; undefined for all. */
type PropertyFilter = readonly string[] | undefined

/** A page as it is visible to the caller: complete with the read-content capability, otherwise only its id. */
export async function presentPage(scope: Scope, page: Row, filter: PropertyFilter): Promise<PageObject | PartialPage> {
  const partial: PartialPage = { object: 'page', id: page.block.id }
  if (!scope.actor.capabilities.has('read_content')) return partial
  const [presented] = await presentRowsInFull(scope, [page], filter)
  return presented ?? partial
}

/** Complete pages in the given order. Ids of other records are omitted. */
export async function presentPages(scope: Scope, ids: readonly string[]): Promise<PageObject[]> {
  const blocks = await findBlocks(scope.db, scope.actor.workspaceId, ids)
  const pages = ids.flatMap((id) => blocks.get(id) ?? []).filter(({ type }) => type === 'child_page')
  return presentInFull(scope, pages, undefined)
}

/** Pages in the given order, as they are visible to the caller. The references of all pages are read together. */
export async function presentPageBlocks(
  scope: Scope,
  blocks: readonly Block[],
  filter: PropertyFilter,
): Promise<(PageObject | PartialPage)[]> {
  if (!scope.actor.capabilities.has('read_content')) return blocks.map(({ id }) => ({ object: 'page', id }))
  return presentInFull(scope, blocks, filter)
}

async function presentInFull(scope: Scope, blocks: readonly Block[], filter: PropertyFilter): Promise<PageObject[]> {
  const records = await findPageRecords(scope.db, scope.actor.workspaceId, idsOf(blocks))
  const rows = blocks.map((block) => rowWith(block, records.get(block.id)))
  return presentRowsInFull(scope, rows, filter)
}

async function presentRowsInFull(scope: Scope, rows: readonly Row[], filter: PropertyFilter): Promise<PageObject[]> {
  const values = rows.flatMap(({ block, icon, cover }) => [block.content['title'], icon, cover])
  const blocks = rows.map(({ block }) => block)
  const ofSources = rows.filter(({ block }) => hasColumns(block))
  const [facts, databases, ofRows] = await Promise.all([
    gatherFacts(scope, values),
    databasesAround(scope, blocks),
    ofSources.length === 0 ? new Map<string, FoundRow>() : presentRowsBySource(scope, ofSources, filter),
  ])
  return rows.map((row) => {
    const found = ofRows.get(row.block.id)
    const page = presentCommon(scope, row, facts, databases)
    return found
      ? { ...page, in_trash: page.in_trash || found.inTrash, properties: found.properties }
      : { ...page, properties: titleOf(row.block, facts, filter) }
  })
}

interface FoundRow {
  readonly properties: PageObject['properties']
  /** Whether the row was moved to the trash with an ancestor that is still in the trash. */
  readonly inTrash: boolean
}

async function presentRowsBySource(scope: Scope, rows: readonly Row[], filter: PropertyFilter): Promise<Map<string, FoundRow>> {
  const found = new Map<string, FoundRow>()
  const sourceIds = rows.map(({ block }) => block.parentId)
  for (const dataSource of (await loadDataSources(scope, sourceIds)).values()) {
    const shown = filter && new Set(filter.flatMap((key) => findProperty(dataSource.properties, key)?.id ?? []))
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
  // A row without a title: its stored type is damaged.
  const title = (block.content['title'] ?? []) as StoredRichText
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
function titleOf(block: Block, facts: Facts, filter: PropertyFilter): PageObject['properties'] {
  if (filter !== undefined && !filter.includes('title')) return {}
  const title = presentWithFewNames(block.content['title'] as StoredRichText, facts, REFERENCES_MAX)
  return { title: { id: 'title', type: 'title', title } }
}

/** The address of a page. @param title plain text */
export function pageUrl(baseUrl: string, title: string, id: string): string {
  return `${baseUrl}/${slug(title)}${undashed(id)}`
}

/** The title as part of an address, followed by a dash; empty for an empty title. */
function slug(title: string): string {
  const words = title.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-|-$/g, '')
  return words === '' ? '' : `${words}-`
}
