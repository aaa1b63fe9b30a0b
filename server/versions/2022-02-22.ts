/**
 * What changed on 2022-02-22: the text of a block is called `rich_text`; conditions are named by the type of the property; property items
 * name their property; databases can't be listed; lists say what they hold. Here is how older callers keep the old form.
 */

import type { Block, BlockType } from '../../generated/types.ts'
import { mapKind } from './answers.ts'
import { decoded, isObject, renamed, without, type JsonObject } from './json.ts'
import type { ReleaseChange, OldRequest, Release } from './release.ts'
import { conditionsIn, renameKey, renameKeyOfEither, writtenBlocks } from './requests.ts'

type FieldOf<Type extends BlockType> = keyof Extract<Block, Record<Type, unknown>>[Type]
/** An object without fields has any that may be asked for. */
type HasText<Type extends BlockType> = string extends FieldOf<Type> ? false : 'rich_text' extends FieldOf<Type> ? true : false

/** Whether the content of a block has a text: no other answer than that of the contract compiles. */
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

/** The text of a block is called `rich_text`; captions kept their name. */
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
  downgrade: (answer) =>
    mapKind(answer, 'block', (block) => {
      const type = String(block['type'])
      const content = block[type]
      return TEXT_BLOCKS.includes(type) && isObject(content) ? { ...block, [type]: renamed(content, 'rich_text', 'text') } : block
    }),
}

/** Conditions are named by the type of the property. Text of every type may be named `rich_text`, so that no schema is needed here. */
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

/** Property items name their property; their lists are of the type `property_item`. */
const propertyItems: ReleaseChange = {
  id: 'C3',
  downgrade(answer) {
    if (answer['object'] === 'property_item') return { ...answer, id: decoded(answer['id']) }
    const { property_item: info } = answer
    if (answer['object'] !== 'list' || !isObject(info)) return answer
    const list = mapKind(without(answer, 'property_item'), 'property_item', (item) => without(item, 'id'))
    return { ...list, type: info['type'], ...(info['type'] === 'rollup' ? { rollup: info['rollup'] } : {}) }
  },
}

/** Databases could be listed: the operation itself is declared as one of older releases. */
const listOfDatabases: ReleaseChange = { id: 'C4' }

/** Lists say what they hold. Lists of property items said so before, in their own way: C3. */
const listTypes: ReleaseChange = {
  id: 'C5',
  downgrade(answer) {
    const type = answer['type']
    return answer['object'] === 'list' && typeof type === 'string' && type !== 'property_item'
      ? without(answer, 'type', type)
      : answer
  },
}

export const release: Release = {
  date: '2022-02-22',
  changes: [blockText, filterKeys, propertyItems, listOfDatabases, listTypes],
}
