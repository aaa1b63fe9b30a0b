import type { BlockType } from '../../../../generated/types.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import type { BlockTypeDefinition } from './block_type.ts'
import { callout } from './callout.ts'
import { code } from './code.ts'
import { column, columnList } from './columns.ts'
import { divider } from './divider.ts'
import { equation } from './equation.ts'
import { bookmark, breadcrumb, embed, linkPreview, template, unsupported } from './formless_types.ts'
import { heading1, heading2, heading3, heading4 } from './headings.ts'
import { linkToPage } from './link_to_page.ts'
import { bulletedListItem, numberedListItem, toDo } from './list_items.ts'
import { audio, file, image, pdf, video } from './media.ts'
import { meetingNotes } from './meeting_notes.ts'
import { paragraph } from './paragraph.ts'
import { quote } from './quote.ts'
import { childDatabase, childPage } from './records.ts'
import { syncedBlock } from './synced_block.ts'
import { tab } from './tab.ts'
import { table, tableRow } from './table.ts'
import { tableOfContents } from './table_of_contents.ts'
import { toggle } from './toggle.ts'

/** Every block type of the contract. A missing or misplaced type does not compile. */
export const blockTypes: { readonly [Type in BlockType]: BlockTypeDefinition<Type> } = {
  paragraph,
  heading_1: heading1,
  heading_2: heading2,
  heading_3: heading3,
  heading_4: heading4,
  bulleted_list_item: bulletedListItem,
  numbered_list_item: numberedListItem,
  quote,
  to_do: toDo,
  toggle,
  template,
  callout,
  synced_block: syncedBlock,
  child_page: childPage,
  child_database: childDatabase,
  equation,
  code,
  divider,
  breadcrumb,
  table_of_contents: tableOfContents,
  tab,
  column_list: columnList,
  column,
  link_to_page: linkToPage,
  table,
  table_row: tableRow,
  embed,
  bookmark,
  image,
  video,
  pdf,
  audio,
  file,
  meeting_notes: meetingNotes,
  link_preview: linkPreview,
  unsupported,
}

export function isBlockType(text: string): text is BlockType {
  return Object.hasOwn(blockTypes, text)
}

const definitions: ReadonlyMap<string, BlockTypeDefinition> = new Map(Object.entries(blockTypes))

/** The definition of a stored row's type. Other rows, such as data sources, are not blocks to callers. */
export function definitionOf(type: string): BlockTypeDefinition {
  return definitions.get(type) ?? unsupported
}

/** The original whose children a block shows; undefined if it shows its own. */
export function originalOf({ type, content }: { readonly type: string; readonly content: StoredContent }): string | undefined {
  return definitionOf(type).children.original(content)
}

/** Whether a row is a page or database, to which members may lack access even if they can see the page that contains it. */
export function isPageOrDatabase({ type }: { readonly type: string }): boolean {
  return definitionOf(type).record !== 'block'
}
