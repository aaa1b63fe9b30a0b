import type { PropertyItem, PropertyItemList, PropertyItemListInfo, PropertyItemOrList } from '../../../generated/types.ts'
import { undashed } from '../../kernel/ids.ts'
import type { Block } from '../../store/blocks.ts'
import { notFound } from '../failures.ts'
import { cutPage, positionOf, type PageRequest } from '../paging.ts'
import { gatherFacts } from '../rich_text/gather.ts'
import { readRichText } from '../rich_text/read.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import type { Scope } from '../scope.ts'
import { requirePage } from './access.ts'

/** The value of a property that is answered whole. */
type WholeItem = Exclude<PropertyItemOrList, PropertyItemList>

/** An element of a list with the position that the next page goes on behind. */
export interface PlacedItem {
  readonly item: PropertyItem
  readonly position: readonly string[]
}

/** A property whose value comes in items. */
export interface ListedProperty {
  /** As answers show it: percent-encoded. */
  readonly id: string
  /** @param after position of the last item seen @param limit at most so many, in stored order */
  items(after: readonly string[] | undefined, limit: number): Promise<readonly PlacedItem[]>
  /** What the list says of the property. @param hasMore whether there are more items behind these */
  info(nextUrl: string | null, hasMore: boolean): PropertyItemListInfo | Promise<PropertyItemListInfo>
}

/** A property of a page. Each kind of page finds its own; see `findProperty`. */
export type PageProperty = { readonly list: ListedProperty } | { readonly item: WholeItem }

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
  const property = findProperty(scope, block, propertyId)
  if (!property) throw notFound(scope.actor, 'property item', propertyId)
  return 'item' in property ? property.item : readItems(scope, block, property.list, request)
}

/** A page outside a data source has a title and nothing else. */
function findProperty(scope: Scope, block: Block, propertyId: string): PageProperty | undefined {
  return propertyId === 'title' ? { list: titleOf(scope, block) } : undefined
}

function titleOf(scope: Scope, block: Block): ListedProperty {
  return {
    id: 'title',
    items: (after, limit) =>
      itemsOfArray(block.content['title'] as StoredRichText, after, limit, async (slice) => {
        const texts = readRichText(slice, await gatherFacts(scope, [slice]))
        return texts.map((title) => ({ object: 'property_item', id: 'title', type: 'title', title }))
      }),
    info: (nextUrl) => ({ id: 'title', type: 'title', title: {}, next_url: nextUrl }),
  }
}

/** Items of a value that is stored as one array: their positions are their places in it. */
export async function itemsOfArray<T>(
  stored: readonly T[],
  after: readonly string[] | undefined,
  limit: number,
  read: (slice: readonly T[]) => Promise<readonly PropertyItem[]>,
): Promise<readonly PlacedItem[]> {
  const start = after === undefined ? 0 : Number(after[0]) + 1
  const items = await read(stored.slice(start, start + limit))
  return items.map((item, index) => ({ item, position: [String(start + index)] }))
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
