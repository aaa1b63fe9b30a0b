import type { PropertyItem, PropertyItemListInfo, RollupArrayEntry, RollupValue } from '../../../../generated/types.ts'
import type { Block } from '../../../store/blocks.ts'
import { listLinks } from '../../../store/cells.ts'
import { findPageRecords } from '../../../store/pages.ts'
import { dataSourceOfRow, type DataSource } from '../data_sources/load.ts'
import { itemsOfArray, type ListedProperty, type PageProperty, type WholeItem } from '../pages/listed_property.ts'
import { findById, type RollupProperty, type StoredProperty } from '../properties/stored.ts'
import { storedLinks } from '../properties/stored_values.ts'
import { facetsOf } from '../property_types/index.ts'
import type { ItemsFacet } from '../property_types/property_facets.ts'
import { rollupFunctions } from '../rollups/functions.ts'
import type { Scope } from '../../shared/index.ts'
import { computeValues } from './computed.ts'
import { presentPayload, valueFacts } from './payload.ts'
import { rowWith, type Row } from './row.ts'

/** A property of a row. @param propertyId decoded; undefined if the page does not have the property */
export async function findRowProperty(scope: Scope, block: Block, propertyId: string): Promise<PageProperty | undefined> {
  const dataSource = await dataSourceOfRow(scope, block)
  const column = findById(dataSource.properties, propertyId)
  if (!column) return undefined
  const row = rowWith(block, (await findPageRecords(scope.db, scope.actor.workspaceId, [block.id])).get(block.id))
  const { items } = facetsOf(column.type)
  if (typeof items === 'object') return { list: await elementList(scope, row, column, items) }
  switch (items) {
    case 'none':
      return undefined
    case 'whole':
      return { item: await wholeItem(scope, dataSource, row, column) }
    case 'links':
      return { list: listOf(column.id, column.type, (after, limit) => linkItems(scope, row, column.id, column.id, after, limit)) }
    case 'rollup':
      if (column.type !== 'rollup') throw new Error(`${column.type} is not a rollup`)
      return { list: await rollupItems(scope, dataSource, row, column) }
  }
}

async function wholeItem(scope: Scope, dataSource: DataSource, row: Row, column: StoredProperty): Promise<WholeItem> {
  const value =
    facetsOf(column.type).value.present === 'computed'
      ? await computedOf(scope, dataSource, row, column)
      : presentPayload(row, column, await valueFacts(scope, [row], [column], Infinity))
  return itemOf(column.id, column.type, value)
}

/** Elements of one stored value. */
async function elementList(
  scope: Scope,
  row: Row,
  column: StoredProperty,
  { elements, present }: Extract<ItemsFacet, object>,
): Promise<ListedProperty> {
  const { id, type } = column
  const stored = elements(facetsOf(type).value.stored(row, id))
  const facts = await valueFacts(scope, [row], [column], Infinity)
  return listOf(id, type, (after, limit) =>
    itemsOfArray(stored, after, limit, (slice) => present(slice, facts).map((item) => itemOf(id, type, item))),
  )
}

/** @param shownId the property id in the items */
async function linkItems(
  scope: Scope,
  row: Row,
  relationId: string,
  shownId: string,
  after: readonly string[] | undefined,
  limit: number,
): ReturnType<ListedProperty['items']> {
  if (row.block.parentType !== 'data_source_id') {
    return itemsOfArray(storedLinks(row.values[relationId]).ids, after, limit, (slice) =>
      slice.map((id) => itemOf(shownId, 'relation', { id })),
    )
  }
  const afterPosition = after === undefined ? -1 : Number(after[0])
  const links = await listLinks(scope.db, scope.actor.workspaceId, row.block.id, relationId, afterPosition, limit)
  return links.map(({ position, pageId }) => ({
    item: itemOf(shownId, 'relation', { id: pageId }),
    position: [String(position)],
  }))
}

async function rollupItems(scope: Scope, dataSource: DataSource, row: Row, column: RollupProperty): Promise<ListedProperty> {
  const { id } = column
  const value = (await computedOf(scope, dataSource, row, column)) as RollupValue
  const relation = findById(dataSource.properties, column.relationId)
  const info = (rollup: unknown, nextUrl: string | null): PropertyItemListInfo =>
    ({ id, type: 'rollup', rollup, next_url: nextUrl }) as PropertyItemListInfo
  const { function: rollupFunction } = column
  if (value.type === 'unsupported' || relation?.type !== 'relation') {
    return { id, items: () => Promise.resolve([]), info: (nextUrl) => info(value, nextUrl) }
  }
  if (value.type === 'array' && rollupFunction === 'show_original') {
    return {
      id,
      items: (after, limit) =>
        itemsOfArray(flattened(value.array), after, limit, (slice) =>
          slice.map(({ type, value: payload }) => itemOf(column.targetId, type, payload)),
        ),
      info: (nextUrl) => info({ type: 'array', array: [], function: rollupFunction }, nextUrl),
    }
  }
  return {
    id,
    items: (after, limit) => linkItems(scope, row, relation.id, relation.id, after, limit),
    info: (nextUrl, hasMore) => {
      if (!rollupFunctions[rollupFunction].itemized)
        return info({ type: 'unsupported', unsupported: {}, function: rollupFunction }, nextUrl)
      return info(hasMore ? { type: 'incomplete', incomplete: {}, function: rollupFunction } : value, nextUrl)
    },
  }
}

async function computedOf(scope: Scope, dataSource: DataSource, row: Row, column: StoredProperty): Promise<unknown> {
  return (await computeValues(scope, dataSource, [row], [column], true)).get(row.block.id)?.get(column.id)
}

/** The values of related pages as single items; values of list types are split into their elements. */
function flattened(entries: readonly RollupArrayEntry[]): { readonly type: string; readonly value: unknown }[] {
  return entries.flatMap((entry) => {
    const value: unknown = Reflect.get(entry, entry.type)
    return facetsOf(entry.type).items !== 'whole' && Array.isArray(value)
      ? value.map((element: unknown) => ({ type: entry.type, value: element }))
      : [{ type: entry.type, value }]
  })
}

function listOf(id: string, type: string, items: ListedProperty['items']): ListedProperty {
  return {
    id,
    items,
    info: (nextUrl) => ({ id, type, [type]: {}, next_url: nextUrl }) as unknown as PropertyItemListInfo,
  }
}

/** An item of a property. The compiler cannot see which key is computed. Tests check every response against the contract. */
function itemOf(id: string, type: string, value: unknown): PropertyItem & WholeItem {
  return { object: 'property_item', id, type, [type]: value } as unknown as PropertyItem & WholeItem
}
