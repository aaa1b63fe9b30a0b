import type { PropertyItem, PropertyItemList, PropertyItemListInfo, PropertyItemOrList } from '../../../../generated/types.ts'

/** The value of a property that is returned as one item. */
export type WholeItem = Exclude<PropertyItemOrList, PropertyItemList>

/** An element of a list, and its position in the list: the next page continues after it. */
interface PlacedItem {
  readonly item: PropertyItem
  readonly position: readonly string[]
}

/** A property whose value is returned as a list of items. */
export interface ListedProperty {
  /** The id as responses show it: percent-encoded. */
  readonly id: string
  /** The next elements, in stored order. @param after the position of the last element of the previous page */
  items(after: readonly string[] | undefined, limit: number): Promise<readonly PlacedItem[]>
  /** The description of the property in the list. @param hasMore whether more items follow */
  info(nextUrl: string | null, hasMore: boolean): PropertyItemListInfo | Promise<PropertyItemListInfo>
}

/** A property of a page. How it is read depends on the kind of page; see `findProperty`. */
export type PageProperty = { readonly list: ListedProperty } | { readonly item: WholeItem }

/** The items of a value that is stored as one array. Positions are indexes. */
export async function itemsOfArray<T>(
  stored: readonly T[],
  after: readonly string[] | undefined,
  limit: number,
  read: (slice: readonly T[]) => readonly PropertyItem[] | Promise<readonly PropertyItem[]>,
): Promise<readonly PlacedItem[]> {
  const start = after === undefined ? 0 : Number(after[0]) + 1
  const items = await read(stored.slice(start, start + limit))
  return items.map((item, index) => ({ item, position: [String(start + index)] }))
}
