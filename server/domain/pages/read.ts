import type { PageObject, PartialPage } from '../../../generated/types.ts'
import { toTimestamp } from '../../kernel/clock.ts'
import { undashed } from '../../kernel/ids.ts'
import { findBlocks, type Block } from '../../store/blocks.ts'
import { findPages, type Page } from '../../store/pages.ts'
import { readParent } from '../blocks/read.ts'
import { readCover, readIcon, type StoredCover, type StoredIcon } from '../icons/icons.ts'
import type { Facts } from '../rich_text/facts.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { plainText, readWithFewNames } from '../rich_text/read.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import type { Scope } from '../scope.ts'
import { partialUser } from '../users/read.ts'

/** Mentions of pages and people that one property of a page object names; the property endpoint names all. */
const NAMES_MAX = 25

/**
 * A page as the caller may see it: in full with read content, else only that it exists.
 * @param filter property ids to show, percent-encoded or not; undefined shows all
 */
export async function readPage(
  scope: Scope,
  block: Block,
  page: Page,
  filter: readonly string[] | undefined,
): Promise<PageObject | PartialPage> {
  if (!scope.actor.capabilities.has('read_content')) return { object: 'page', id: block.id }
  return pageObject(scope, block, page, await gatherFacts(scope, [block.content['title'], page.icon]), filter)
}

/** Many pages, in their order and in full, in as many queries as one; ids that name no page are left out. */
export async function readPages(scope: Scope, ids: readonly string[]): Promise<PageObject[]> {
  const { workspaceId } = scope.actor
  const blocks = await findBlocks(scope.db, workspaceId, ids)
  const pages = await findPages(scope.db, workspaceId, ids)
  const stored = ids.flatMap((id) => {
    const [block, page] = [blocks.get(id), pages.get(id)]
    return block && page ? [{ block, page }] : []
  })
  const facts = await gatherFacts(
    scope,
    stored.flatMap(({ block, page }) => [block.content['title'], page.icon]),
  )
  return stored.map(({ block, page }) => pageObject(scope, block, page, facts, undefined))
}

function pageObject(scope: Scope, block: Block, page: Page, facts: Facts, filter: readonly string[] | undefined): PageObject {
  const title = block.content['title'] as StoredRichText
  const showsTitle = filter === undefined || filter.includes('title')
  return {
    object: 'page',
    id: block.id,
    created_time: toTimestamp(block.createdTime),
    created_by: partialUser(block.createdBy),
    last_edited_time: toTimestamp(block.lastEditedTime),
    last_edited_by: partialUser(block.lastEditedBy),
    in_trash: block.inTrash,
    is_archived: page.isArchived,
    is_locked: page.isLocked,
    url: `${scope.baseUrl}/${slug(plainText(title, facts))}${undashed(block.id)}`,
    public_url: null,
    parent: readParent(block),
    properties: showsTitle ? { title: { id: 'title', type: 'title', title: readWithFewNames(title, facts, NAMES_MAX) } } : {},
    icon: readIcon(page.icon as StoredIcon | null, facts),
    cover: readCover(page.cover as StoredCover | null),
  }
}

/** The title in the address, followed by a dash; nothing for an empty one. */
function slug(title: string): string {
  const words = title.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-|-$/g, '')
  return words === '' ? '' : `${words}-`
}
