import type { BlockTree } from '../../domain/content/index.ts'
import { undashed } from '../../kernel/ids.ts'
import { markup, type Html } from '../oauth/html.ts'
import { runOf } from './blocks/blocks.ts'
import { commentsOf } from './blocks/comments.ts'
import { listRuns } from './blocks/lists.ts'
import { forPrograms, type ApiAddress, type ApiCall } from './for_programs.ts'
import { renderParts } from './libraries.ts'
import { recordPath } from './links.ts'
import { eachNodeOf, type LoadedPage } from './load_page.ts'
import type { PageHeading, PageView } from './page_view.ts'
import { recordHeader } from './record_header.ts'
import { joinedPlainText } from './rich_text.ts'
import { titleOfRow } from './values/columns.ts'
import { pageProperties } from './values/page_properties.ts'

/** A page: its header, its properties, its content, and how programs can read it. */
export async function pageBody(view: PageView, api: ApiAddress, loaded: LoadedPage, isContinued: boolean): Promise<Html> {
  const { page, root, columns } = loaded
  const isWhole = root.block.id === page.id
  const nodes = isWhole ? root.children : [root]
  const content = await renderParts(listRuns(nodes), (run) => runOf(view, run))
  const header = recordHeader(view, {
    kind: 'page',
    title: titleOfRow(page),
    icon: page.icon,
    cover: page.cover,
    inTrash: page.in_trash,
    editedTime: page.last_edited_time,
  })
  return markup`<article class="page">${header}
${isWhole && !isContinued ? markup`${pageProperties(view, page, columns)}${commentsOf(view, page.id, true)}` : partNote(view, page.id)}
<div class="content">${content}${content.length === 0 && markup`<p class="soft">This page has no content.</p>`}</div>
${isWhole && moreOf(view, root)}
${forPrograms(api, callsOf(page.id), formLinks(view, page.id))}</article>`
}

function partNote(view: PageView, pageId: string): Html {
  return markup`<p class="part" role="status">Only a part of this page. <a href="${recordPath(view, pageId)}">Show it from the start</a></p>`
}

function moreOf(view: PageView, { block, rest }: BlockTree): Html | undefined {
  if (rest === null) return undefined
  return markup`<p class="more"><a href="${recordPath(view, block.id, { from: undashed(rest) })}" rel="next">More of this page</a></p>`
}

function formLinks(view: PageView, id: string): Html {
  return markup`<p class="forms"><a href="${recordPath(view, id, { as: 'markdown' })}">Show as Markdown</a> <a href="${recordPath(view, id, { as: 'json' })}">Show as JSON</a></p>`
}

function callsOf(id: string): ApiCall[] {
  return [
    { operation: 'retrievePage', returns: 'The page with its properties', parameters: { page_id: id } },
    { operation: 'listBlockChildren', returns: 'Its content as blocks', parameters: { block_id: id, page_size: '100' } },
    { operation: 'retrievePageMarkdown', returns: 'Its content as Markdown', parameters: { page_id: id } },
  ]
}

/** The headings in the content of a page, for tables of contents. */
export function headingsIn(root: BlockTree): PageHeading[] {
  return [...eachNodeOf(root)].flatMap(({ block }): PageHeading[] => {
    if (!('type' in block)) return []
    const id = undashed(block.id)
    if (block.type === 'heading_1') return [{ id, level: 1, text: joinedPlainText(block.heading_1.rich_text) }]
    if (block.type === 'heading_2') return [{ id, level: 2, text: joinedPlainText(block.heading_2.rich_text) }]
    if (block.type === 'heading_3') return [{ id, level: 3, text: joinedPlainText(block.heading_3.rich_text) }]
    return block.type === 'heading_4' ? [{ id, level: 4, text: joinedPlainText(block.heading_4.rich_text) }] : []
  })
}
