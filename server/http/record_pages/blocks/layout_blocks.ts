import type { SyncedBlockContent, TableContent } from '../../../../generated/types.ts'
import type { BlockTree } from '../../../domain/content/index.ts'
import { undashed } from '../../../kernel/ids.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { iconElement } from '../icon.ts'
import { recordPath } from '../links.ts'
import { colorClass, richTextHtml } from '../rich_text.ts'
import type { BlockToRender } from './block_to_render.ts'

/** The number of parts of the width for which the style sheet has classes. */
const SHARES = 20

export function renderColumns({ node, render }: BlockToRender): Html {
  const columns = node.children.map(
    (column) => markup`<div class="column share-${shareOf(column)}">${render(column.children)}</div>`,
  )
  return markup`<div class="columns">${columns}</div>`
}

function shareOf({ block }: BlockTree): number {
  const ratio = 'type' in block && block.type === 'column' ? (block.column.width_ratio ?? 0.5) : 0.5
  return Math.min(SHARES, Math.max(1, Math.round(ratio * SHARES)))
}

/** Renders tabs. Each tab is a paragraph whose text is its label. The browser keeps one of them open. */
export function renderTabs({ view, node, render }: BlockToRender): Html {
  const group = `tab-${undashed(node.block.id)}`
  const items = node.children.map(({ block, children }, index) => {
    if (!('type' in block) || block.type !== 'paragraph') return render(children)
    const { rich_text: text, color, icon } = block.paragraph
    return markup`<details name="${group}"${index === 0 && markup` open`}><summary><span class="${colorClass(color)}">${iconElement(view, icon ?? null)}${text.length > 0 ? richTextHtml(view, text) : 'Untitled'}</span></summary>
<div class="inside">${render(children)}</div></details>`
  })
  return markup`<div class="tabs">${items}</div>`
}

export function renderSynced({ view, below }: BlockToRender, { synced_from: original }: SyncedBlockContent): Html {
  const origin =
    original !== null && markup`<p class="origin"><a href="${recordPath(view, original.block_id)}">Copy of a synced block</a></p>`
  return markup`<div class="synced">${origin}${below}</div>`
}

export function renderTable(
  { view, node }: BlockToRender,
  { has_column_header: hasTop, has_row_header: hasLeft }: TableContent,
): Html {
  const rows = node.children.map(({ block }, index) => {
    if (!('type' in block) || block.type !== 'table_row') return markup``
    const cells = block.table_row.cells.map((cell, column) => {
      const text = richTextHtml(view, cell)
      if (hasTop && index === 0) return markup`<th scope="col">${text}</th>`
      return hasLeft && column === 0 ? markup`<th scope="row">${text}</th>` : markup`<td>${text}</td>`
    })
    return markup`<tr id="${undashed(block.id)}">${cells}</tr>`
  })
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="Table"><table class="simple"><tbody>${rows}</tbody></table></div>`
}
