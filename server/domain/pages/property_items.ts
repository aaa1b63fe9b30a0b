import type { PropertyItemList, PropertyItemOrList } from '../../../generated/types.ts'
import { undashed } from '../../kernel/ids.ts'
import type { Block } from '../../store/blocks.ts'
import { hasColumns } from '../data_sources/load.ts'
import { notFound } from '../failures.ts'
import { cutPage, positionOf, type PageRequest } from '../paging.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { presentRichText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import type { Scope } from '../scope.ts'
import { findRowProperty } from '../rows/property_items.ts'
import { requirePage } from './access.ts'
import { itemsOfArray, type ListedProperty, type PageProperty } from './listed_property.ts'

/**
 * The whole value of one property of a page.
 * @param propertyId decoded once
 */
export async function retrievePageProperty(
  scope: Scope,
  pageId: string,
  propertyId: string,
  request: PageRequest,
): Promise<PropertyItemOrList> {
  const block = await requirePage(scope, pageId, 'path.page_id')
  const property = hasColumns(block) ? await findRowProperty(scope, block, propertyId) : ownProperty(scope, block, propertyId)
  if (!property) throw notFound(scope.actor, 'property item', propertyId)
  return 'item' in property ? property.item : readItems(scope, block, property.list, request)
}

/** A page outside a data source has a title and nothing else. */
function ownProperty(scope: Scope, block: Block, propertyId: string): PageProperty | undefined {
  return propertyId === 'title' ? { list: titleOf(scope, block) } : undefined
}

function titleOf(scope: Scope, block: Block): ListedProperty {
  return {
    id: 'title',
    items: (after, limit) =>
      itemsOfArray(block.content['title'] as StoredRichText, after, limit, async (slice) => {
        const texts = presentRichText(slice, await gatherFacts(scope, [slice]))
        return texts.map((title) => ({ object: 'property_item', id: 'title', type: 'title', title }))
      }),
    info: (nextUrl) => ({ id: 'title', type: 'title', title: {}, next_url: nextUrl }),
  }
}

async function readItems(scope: Scope, block: Block, property: ListedProperty, request: PageRequest): Promise<PropertyItemList> {
  const after = positionOf(scope.cursors, request)
  const placed = await property.items(after, request.pageSize + 1)
  const { items, hasMore, nextCursor } = cutPage(scope.cursors, placed, request, ({ position }) => position)
  const nextUrl = nextCursor === null ? null : addressOf(scope, block.id, property.id, nextCursor, request.pageSize)
  return {
    object: 'list',
    type: 'property_item',
    results: items.map(({ item }) => item),
    has_more: hasMore,
    next_cursor: nextCursor,
    property_item: await property.info(nextUrl, hasMore),
  }
}

function addressOf({ baseUrl }: Scope, pageId: string, propertyId: string, cursor: string, pageSize: number): string {
  return `${baseUrl}/v1/pages/${undashed(pageId)}/properties/${propertyId}?start_cursor=${cursor}&page_size=${pageSize}`
}
