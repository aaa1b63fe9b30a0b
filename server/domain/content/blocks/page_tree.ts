import type { Icon } from '../../../../generated/types.ts'
import { findAncestors, visibleRoots } from '../../../store/access.ts'
import { findBlocks, listChildren, listVisibleRecordsOn, type Block } from '../../../store/blocks.ts'
import { findIcons } from '../../../store/pages.ts'
import { trashedAmong } from '../../../store/trash.ts'
import { seenBelow, type Scope } from '../../shared/index.ts'
import { isPageOrDatabase } from '../block_types/index.ts'
import { presentIcon, type StoredIcon } from '../icons.ts'
import { gatherFacts, plainTitles } from '../rich_text/gather.ts'

export interface PageEntry {
  readonly id: string
  readonly kind: 'page' | 'database'
  readonly title: string
  readonly icon: Icon | null
}

/** The part of the tree of pages around a record. */
export interface PageTree {
  /** The pages and databases that contain the record and that the caller sees, from the top down. */
  readonly path: readonly PageEntry[]
  /** The first pages and databases at the top of the workspace. */
  readonly roots: readonly PageEntry[]
  /** The first pages and databases on each page of the path and on the record itself; without a record, on the first roots. */
  readonly below: ReadonlyMap<string, readonly PageEntry[]>
}

/** The maximum number of rows examined at the top of the workspace: most of them may be private pages of other members. */
const EXAMINED_MAX = 300
const SHOWN_MAX = 50
/** The maximum number of pages of the path, from the record up, whose children are shown; without a record, of roots. */
const OPEN_MAX = 8

/**
 * Reads the part of the tree of pages around a record. @param id the id of a page or database that the caller sees; undefined for the top
 * of the workspace only
 */
export async function readPageTree(scope: Scope, id: string | undefined): Promise<PageTree> {
  const path = id === undefined ? [] : await ancestorsOf(scope, id)
  const roots = await rootsOf(scope)
  const open = id === undefined ? roots.slice(0, OPEN_MAX).map((root) => root.id) : [...path, id].slice(-OPEN_MAX)
  const below = new Map<string, readonly Block[]>()
  for (const page of open) below.set(page, await pagesOn(scope, page))
  const pathBlocks = await findBlocks(scope.db, scope.actor.workspaceId, path)
  const entries = await describe(scope, [...pathBlocks.values(), ...roots, ...[...below.values()].flat()])
  const listed = (blocks: readonly Block[]): PageEntry[] => blocks.flatMap((block) => entries.get(block.id) ?? [])
  return {
    path: path.flatMap((page) => entries.get(page) ?? []),
    roots: listed(roots),
    below: new Map([...below].map(([page, blocks]) => [page, listed(blocks)])),
  }
}

/** The ids of the pages and databases above a record that the caller sees, from the top down. */
async function ancestorsOf(scope: Scope, id: string): Promise<string[]> {
  const { db, actor } = scope
  const around = await findAncestors(db, actor, [id])
  const chain: string[] = []
  for (let above = around.get(id)?.parentId; above !== undefined; above = around.get(above)?.parentId) chain.unshift(above)
  const blocks = await findBlocks(db, actor.workspaceId, chain)
  return [
    ...(await seenBelow(
      scope,
      chain.filter((one) => isRecord(blocks.get(one))),
    )),
  ]
}

function isRecord(block: Block | undefined): boolean {
  return block !== undefined && isPageOrDatabase(block)
}

async function rootsOf(scope: Scope): Promise<Block[]> {
  const { db, actor } = scope
  const shared = await visibleRoots(db, actor, EXAMINED_MAX)
  const blocks =
    shared === undefined
      ? await listChildren(db, actor.workspaceId, actor.workspaceId, undefined, EXAMINED_MAX)
      : [...(await findBlocks(db, actor.workspaceId, shared)).values()]
  return shownAmong(scope, blocks.filter(isRecord))
}

async function pagesOn(scope: Scope, pageId: string): Promise<Block[]> {
  return shownAmong(scope, await listVisibleRecordsOn(scope.db, scope.actor, pageId, SHOWN_MAX))
}

async function shownAmong(scope: Scope, blocks: readonly Block[]): Promise<Block[]> {
  const ids = blocks.map(({ id }) => id)
  const visible = new Set(await seenBelow(scope, ids))
  const trashed = await trashedAmong(scope.db, scope.actor.workspaceId, ids)
  return blocks.filter(({ id }) => visible.has(id) && !trashed.has(id)).slice(0, SHOWN_MAX)
}

async function describe(scope: Scope, blocks: readonly Block[]): Promise<Map<string, PageEntry>> {
  const ids = blocks.map(({ id }) => id)
  const titles = await plainTitles(scope, ids)
  const icons = await findIcons(scope.db, scope.actor.workspaceId, ids)
  const facts = await gatherFacts(scope, [...icons.values()])
  return new Map(
    blocks.map(({ id, type }) => [
      id,
      {
        id,
        kind: type === 'child_database' ? 'database' : 'page',
        title: titles.get(id) || 'Untitled',
        icon: presentIcon((icons.get(id) ?? null) as StoredIcon | null, facts),
      },
    ]),
  )
}
