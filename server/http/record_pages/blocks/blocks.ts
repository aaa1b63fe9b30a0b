import type { Block } from '../../../../generated/types.ts'
import type { BlockTree } from '../../../domain/content/index.ts'
import { undashed } from '../../../kernel/ids.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { recordPath } from '../links.ts'
import type { PageView } from '../page_view.ts'
import type { BlockToRender } from './block_to_render.ts'
import { renderEquation, renderCode } from './code_blocks.ts'
import { commentsOf } from './comments.ts'
import { renderColumns, renderTable, renderSynced, renderTabs } from './layout_blocks.ts'
import { listElement, listRuns, type ListRun } from './lists.ts'
import { renderBookmark, renderEmbed, renderFile, renderLinkPreview, renderMedia } from './media_blocks.ts'
import {
  renderBreadcrumb,
  renderChildRecord,
  renderLinkToPage,
  renderMeetingNotes,
  renderContents,
  renderUnsupported,
} from './record_blocks.ts'
import {
  renderCallout,
  renderHeading,
  renderListItem,
  renderParagraph,
  renderQuote,
  renderTemplate,
  renderToggle,
} from './text_blocks.ts'

/** Blocks one below the other. */
export function blocksOf(view: PageView, nodes: readonly BlockTree[]): Html {
  return markup`${listRuns(nodes).map((run) => runOf(view, run))}`
}

/** A block, or consecutive items of a list. */
export function runOf(view: PageView, { list, nodes }: ListRun): Html {
  const parts = nodes.map((node) => blockOf(view, node, list === undefined ? 'div' : 'li'))
  return list === undefined ? markup`${parts}` : listElement(list, nodes, parts)
}

function blockOf(view: PageView, node: BlockTree, tag: 'div' | 'li'): Html {
  const { block } = node
  const render = (nodes: readonly BlockTree[]): Html => blocksOf(view, nodes)
  const place = { view, node, render, below: render(node.children) }
  const content = 'type' in block ? contentOf(place, block) : renderUnsupported('unknown')
  const after = markup`${restOf(view, node)}${'type' in block && isRecord(block) ? undefined : commentsOf(view, block.id)}`
  const id = undashed(block.id)
  return tag === 'li'
    ? markup`<li id="${id}"${markClass(block)}>${content}${after}</li>`
    : markup`<div class="block" id="${id}">${content}${after}</div>`
}

function isRecord({ type }: Block): boolean {
  return type === 'child_page' || type === 'child_database'
}

function markClass(block: BlockTree['block']): Html | undefined {
  if (!('type' in block) || block.type !== 'to_do') return undefined
  return block.to_do.checked ? markup` class="done"` : markup` class="open"`
}

function restOf(view: PageView, { block, rest }: BlockTree): Html | undefined {
  if (rest === null) return undefined
  const href = recordPath(view, block.id, { from: rest === 'unknown' ? undefined : undashed(rest) })
  return markup`<p class="more"><a href="${href}">More of this</a></p>`
}

/** The content of a block. A new type of block does not compile until it is rendered here. */
function contentOf(place: BlockToRender, block: Block): Html {
  switch (block.type) {
    case 'paragraph':
      return renderParagraph(place, block.paragraph)
    case 'heading_1':
      return renderHeading(place, block.heading_1, 1)
    case 'heading_2':
      return renderHeading(place, block.heading_2, 2)
    case 'heading_3':
      return renderHeading(place, block.heading_3, 3)
    case 'heading_4':
      return renderHeading(place, block.heading_4, 4)
    case 'bulleted_list_item':
      return renderListItem(place, block.bulleted_list_item.rich_text, block.bulleted_list_item.color)
    case 'numbered_list_item':
      return renderListItem(place, block.numbered_list_item.rich_text, block.numbered_list_item.color)
    case 'to_do':
      return markup`<span class="hidden">${block.to_do.checked ? 'Done: ' : 'To do: '}</span>${renderListItem(place, block.to_do.rich_text, block.to_do.color)}`
    case 'quote':
      return renderQuote(place, block.quote)
    case 'toggle':
      return renderToggle(place, block.toggle)
    case 'template':
      return renderTemplate(place, block.template)
    case 'callout':
      return renderCallout(place, block.callout)
    case 'synced_block':
      return renderSynced(place, block.synced_block)
    case 'tab':
      return renderTabs(place)
    case 'column_list':
      return renderColumns(place)
    case 'column':
      return place.below
    case 'table':
      return renderTable(place, block.table)
    case 'table_row':
      return markup`<p>${block.table_row.cells.map((cell) => markup`${cell.map(({ plain_text: text }) => text).join('')} `)}</p>`
    case 'code':
      return renderCode(place, block.code)
    case 'equation':
      return renderEquation(place, block.equation)
    case 'divider':
      return markup`<hr>`
    case 'breadcrumb':
      return renderBreadcrumb(place)
    case 'table_of_contents':
      return renderContents(place)
    case 'link_to_page':
      return renderLinkToPage(place, block.link_to_page)
    case 'embed':
      return renderEmbed(place, block.embed)
    case 'bookmark':
      return renderBookmark(place, block.bookmark)
    case 'link_preview':
      return renderLinkPreview(place, block.link_preview)
    case 'image':
      return renderMedia(place, 'image', block.image)
    case 'video':
      return renderMedia(place, 'video', block.video)
    case 'audio':
      return renderMedia(place, 'audio', block.audio)
    case 'pdf':
      return renderMedia(place, 'pdf', block.pdf)
    case 'file':
      return renderFile(place, block.file)
    case 'child_page':
      return renderChildRecord(place, 'page', block.child_page.title)
    case 'child_database':
      return renderChildRecord(place, 'database', block.child_database.title)
    case 'meeting_notes':
      return renderMeetingNotes(place, block.meeting_notes)
    case 'unsupported':
      return renderUnsupported(block.unsupported.block_type)
  }
}
