import type { PropertyItemList, PropertyItemOrList } from '../../../../generated/types.ts'
import { undashed } from '../../../kernel/ids.ts'
import type { Block } from '../../../store/blocks.ts'
import { hasColumns } from '../data_sources/load.ts'
import { notFound, cutPage, positionOf, presentPaging, type PageRequest, type Scope } from '../../shared/index.ts'
import { gatherFacts, presentRichText, requirePage, type StoredRichText } from '../../content/index.ts'
import { findRowProperty } from '../rows/property_items.ts'
import { itemsOfArray, type ListedProperty, type PageProperty } from './listed_property.ts'

/** The complete value of one property of a page. @param propertyId has been percent-decoded once, as part of the path */
export async function retrievePageProperty(
  scope: Scope,
  pageId: string,
  propertyId: string,
  request: PageRequest,
): Promise<PropertyItemOrList> {
  const block = await requirePage(scope, pageId, 'path.page_id')
  // The title is the only property of a page outside data sources.
  const own = propertyId === 'title' ? { list: titleOf(scope, block) } : undefined
  const property: PageProperty | undefined = hasColumns(block) ? await findRowProperty(scope, block, propertyId) : own
  if (!property) throw notFound(scope.actor, 'property item', propertyId)
  return 'item' in property ? property.item : listItems(scope, block, property.list, request)
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

async function listItems(scope: Scope, block: Block, property: ListedProperty, request: PageRequest): Promise<PropertyItemList> {
  const after = positionOf(scope.cursors, request)
  const placed = await property.items(after, request.pageSize + 1)
  const page = cutPage(scope.cursors, placed, request, ({ position }) => position)
  const { nextCursor } = page
  const nextUrl = nextCursor === null ? null : addressOf(scope, block.id, property.id, nextCursor, request.pageSize)
  return {
    object: 'list',
    type: 'property_item',
    results: page.items.map(({ item }) => item),
    ...presentPaging(page),
    property_item: await property.info(nextUrl, page.hasMore),
  }
}

function addressOf({ baseUrl }: Scope, pageId: string, propertyId: string, cursor: string, pageSize: number): string {
  return `${baseUrl}/v1/pages/${undashed(pageId)}/properties/${propertyId}?start_cursor=${cursor}&page_size=${pageSize}`
}
