/**
 * Release 2022-02-22: the text of a block is `rich_text`, filter conditions are keyed by property type, property items have the id of their
 * property, databases can no longer be listed, and lists state the type of their results.
 */

import type { Block, BlockType } from '../../generated/types.ts'
import { mapKind } from './responses.ts'
import { decoded, renamed, without, type JsonObject } from './json.ts'
import type { ReleaseChange, OldRequest, Release } from './release.ts'
import { conditionsIn, renameKey, renameKeyOfEither, writtenBlocks } from './requests.ts'
import { isObject } from '../kernel/is_object.ts'

type FieldOf<Type extends BlockType> = keyof Extract<Block, Record<Type, unknown>>[Type]
/** False for content without fields, for whose keys TypeScript gives `string`. */
type HasText<Type extends BlockType> = string extends FieldOf<Type> ? false : 'rich_text' extends FieldOf<Type> ? true : false

/** Whether the content of each block type has `rich_text`. A value that contradicts the contract does not compile. */
const HAS_TEXT: { readonly [Type in BlockType]: HasText<Type> } = {
  paragraph: true,
  heading_1: true,
  heading_2: true,
  heading_3: true,
  heading_4: true,
  bulleted_list_item: true,
  numbered_list_item: true,
  quote: true,
  to_do: true,
  toggle: true,
  template: true,
  synced_block: false,
  child_page: false,
  child_database: false,
  equation: false,
  code: true,
  callout: true,
  divider: false,
  breadcrumb: false,
  table_of_contents: false,
  tab: false,
  column_list: false,
  column: false,
  link_to_page: false,
  table: false,
  table_row: false,
  meeting_notes: false,
  embed: false,
  bookmark: false,
  image: false,
  video: false,
  pdf: false,
  file: false,
  audio: false,
  link_preview: false,
  unsupported: false,
}
const TEXT_BLOCKS = Object.entries(HAS_TEXT).flatMap(([type, hasText]) => (hasText ? [type] : []))

/** The text of a block is `rich_text` instead of `text`; captions kept their name. */
const blockText: ReleaseChange = {
  id: 'C1',
  upgrade(request) {
    for (const block of writtenBlocks(request.call)) {
      for (const type of TEXT_BLOCKS) {
        const content = block[type]
        if (isObject(content)) renameKey(request, content, 'text', 'rich_text')
      }
    }
  },
  downgrade: (response) =>
    mapKind(response, 'block', (block) => {
      const type = String(block['type'])
      const content = block[type]
      return TEXT_BLOCKS.includes(type) && isObject(content) ? { ...block, [type]: renamed(content, 'rich_text', 'text') } : block
    }),
}

/** Conditions are keyed by property type. `rich_text` is accepted for every property with text, so the schema is not needed here. */
const filterKeys: ReleaseChange = {
  id: 'C2',
  upgrade(request) {
    const { operation, body = {} } = request.call
    if (operation.id !== 'queryDatabase') return
    for (const condition of conditionsIn(body['filter'])) {
      renameKeyOfEither(request, condition, 'text', 'rich_text')
      renameKeyOfEither(request, condition, 'phone', 'phone_number')
      upgradeComputed(request, condition)
    }
  },
}

function upgradeComputed(request: OldRequest, { formula, rollup }: JsonObject): void {
  if (isObject(formula)) renameKey(request, formula, 'text', 'string')
  if (!isObject(rollup)) return
  for (const inner of [rollup['any'], rollup['every'], rollup['none']])
    if (isObject(inner)) renameKey(request, inner, 'text', 'rich_text')
}

/** Property items have the id of their property, and lists of them have the type `property_item`. */
const propertyItems: ReleaseChange = {
  id: 'C3',
  downgrade(response) {
    if (response['object'] === 'property_item') return { ...response, id: decoded(response['id']) }
    const { property_item: info } = response
    if (response['object'] !== 'list' || !isObject(info)) return response
    const list = mapKind(without(response, 'property_item'), 'property_item', (item) => without(item, 'id'))
    return { ...list, type: info['type'], ...(info['type'] === 'rollup' ? { rollup: info['rollup'] } : {}) }
  },
}

/**
 * Listing databases was removed. The contract says that the operation is available only before this release, so there is nothing to
 * translate.
 */
const listOfDatabases: ReleaseChange = { id: 'C4' }

/** Lists state the type of their results. Lists of property items already did, in another form: see C3. */
const listTypes: ReleaseChange = {
  id: 'C5',
  downgrade(response) {
    const type = response['type']
    return response['object'] === 'list' && typeof type === 'string' && type !== 'property_item'
      ? without(response, 'type', type)
      : response
  },
}

export const release: Release = {
  date: '2022-02-22',
  changes: [blockText, filterKeys, propertyItems, listOfDatabases, listTypes],
}
