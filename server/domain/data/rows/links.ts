import { findBlocks, touch } from '../../../store/blocks.ts'
import {
  deleteCells,
  deleteLink,
  insertCells,
  isLinked,
  lastPosition,
  listLinks,
  type Cell,
  type CellOwner,
} from '../../../store/cells.ts'
import { seenBelow, type Scope, type WriteScope } from '../../shared/index.ts'
import { recordEvent } from '../../events/index.ts'
import { findRowValues, updateRowValues } from '../../../store/row_values.ts'
import type { RelationProperty } from '../properties/stored.ts'
import { storedLinks, type StoredLinks } from '../properties/stored_values.ts'

/** The maximum number of links in the document of a row. The index contains all of them. */
export const LINKS_IN_DOCUMENT = 100
const LINKS_AT_ONCE = 500

/** Adds cells of one page to the index. */
export async function insertCellsOf({ db, actor }: WriteScope, owner: CellOwner, cells: readonly Cell[]): Promise<void> {
  const added = cells.map((cell) => ({ owner, cell }))
  await insertCells(db, actor.workspaceId, added)
}

/** All links of one relation of a page, in order. */
export async function allLinks(scope: Scope, pageId: string, propertyId: string): Promise<string[]> {
  const ids: string[] = []
  for (let after = -1; ;) {
    const links = await listLinks(scope.db, scope.actor.workspaceId, pageId, propertyId, after, LINKS_AT_ONCE)
    ids.push(...links.map((link) => link.pageId))
    after = links.at(-1)?.position ?? after
    if (links.length < LINKS_AT_ONCE) return ids
  }
}

/**
 * Replaces the links of a relation in the index and, if it is two-way, on the opposite pages. The document of the page itself is already
 * stored.
 * @param before the value that the document had before; undefined for a new page
 */
export async function writeLinks(
  scope: WriteScope,
  owner: CellOwner,
  relation: RelationProperty,
  before: StoredLinks | undefined,
  ids: readonly string[],
): Promise<void> {
  const { db, actor } = scope
  const old = before?.more ? await allLinks(scope, owner.pageId, relation.id) : (before?.ids ?? [])
  if (old.length > 0) await deleteCells(db, actor.workspaceId, owner.pageId, relation.id)
  const cells = ids.map((id, position) => ({ propertyId: relation.id, position, textKey: id }))
  await insertCellsOf(scope, owner, cells)
  if (relation.syncedId === undefined) return
  const { syncedId } = relation
  const [kept, known] = [new Set(ids), new Set(old)]
  const gone = old.filter((id) => !kept.has(id))
  const unlinked = await removeLink(scope, await seenBelow(scope, gone), syncedId, owner.pageId)
  const added = ids.filter((id) => !known.has(id))
  const linked = await addLink(scope, added, syncedId, owner.pageId)
  const properties = [syncedId]
  const changes = [...unlinked, ...linked].map((id) => ({ type: 'page.properties_updated', id, properties }) as const)
  await recordEvent(scope, changes)
}

/** The new links of a relation, followed by its current links to pages that are not visible to the caller, which are kept. */
export async function withUnseenLinks(
  scope: WriteScope,
  pageId: string,
  relation: RelationProperty,
  before: StoredLinks,
  after: StoredLinks,
): Promise<StoredLinks> {
  if (scope.actor.memberLevel === undefined) return after
  const wanted = new Set(after.ids)
  const left = (before.more ? await allLinks(scope, pageId, relation.id) : before.ids).filter((id) => !wanted.has(id))
  const seen = new Set(await seenBelow(scope, left))
  return seen.size === left.length ? after : { ids: [...after.ids, ...left.filter((id) => !seen.has(id))] }
}

/**
 * Adds a link to one page at the end of a relation of other pages. An existing link keeps its position.
 * @returns the pages that have the property
 */
export function addLink(scope: WriteScope, pageIds: readonly string[], propertyId: string, linkedId: string): Promise<string[]> {
  const { db } = scope
  const { workspaceId } = scope.actor
  return changeRows(scope, pageIds, propertyId, async (owner, links) => {
    if (links.ids.includes(linkedId) || (links.more && (await isLinked(db, workspaceId, owner, propertyId, linkedId))))
      return links
    const position = (await lastPosition(db, workspaceId, owner.pageId, propertyId)) + 1
    await insertCellsOf(scope, owner, [{ propertyId, position, textKey: linkedId }])
    return links.ids.length < LINKS_IN_DOCUMENT && !links.more
      ? { ids: [...links.ids, linkedId] }
      : { ids: links.ids, more: true }
  })
}

/** Removes the links to one page from a relation of other pages. @returns the pages that have the property */
function removeLink(scope: WriteScope, pageIds: readonly string[], propertyId: string, linkedId: string): Promise<string[]> {
  return changeRows(scope, pageIds, propertyId, async (owner, links) => {
    await deleteLink(scope.db, scope.actor.workspaceId, owner, propertyId, linkedId)
    const ids = links.ids.filter((id) => id !== linkedId)
    return links.more ? findFirstLinks(scope, owner.pageId, propertyId) : { ids }
  })
}

/** The links for the document, read from the index. */
async function findFirstLinks(scope: Scope, pageId: string, propertyId: string): Promise<StoredLinks> {
  const links = await listLinks(scope.db, scope.actor.workspaceId, pageId, propertyId, -1, LINKS_IN_DOCUMENT + 1)
  const ids = links.slice(0, LINKS_IN_DOCUMENT).map((one) => one.pageId)
  return links.length > LINKS_IN_DOCUMENT ? { ids, more: true } : { ids }
}

/** Changes one relation of many rows, and records the edits. @returns the pages that are rows */
async function changeRows(
  scope: WriteScope,
  pageIds: readonly string[],
  propertyId: string,
  change: (owner: CellOwner, links: StoredLinks) => Promise<StoredLinks>,
): Promise<string[]> {
  const { db, actor } = scope
  const rows: string[] = []
  for (let start = 0; start < pageIds.length; start += LINKS_AT_ONCE) {
    const ids = pageIds.slice(start, start + LINKS_AT_ONCE)
    const blocks = await findBlocks(db, actor.workspaceId, ids)
    const documents = await findRowValues(db, actor.workspaceId, ids)
    for (const id of ids) {
      const [block, values] = [blocks.get(id), documents.get(id)]
      if (block?.parentType !== 'data_source_id' || values === undefined) continue
      const owner = { pageId: id, dataSourceId: block.parentId, inTrash: block.inTrash, createdTime: block.createdTime }
      const links = await change(owner, storedLinks(values[propertyId]))
      rows.push(id)
      const { [propertyId]: _before, ...others } = values
      const next = links.ids.length === 0 ? others : { ...others, [propertyId]: links }
      await updateRowValues(db, actor.workspaceId, id, JSON.stringify(next))
    }
    await touch(db, actor.workspaceId, ids, actor.userId, scope.now)
  }
  return rows
}
