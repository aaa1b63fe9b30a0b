import type { PropertyItem, PropertyItemList, PropertyItemListInfo, PropertyItemOrList } from '../../../generated/types.ts'

/** The value of a property that is answered whole. */
type WholeItem = Exclude<PropertyItemOrList, PropertyItemList>

/** An element of a list with the position that the next page continues after. */
interface PlacedItem {
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
