import type { Comment, CommentAttachment } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { momentElement } from '../dates.ts'
import { ownFile } from '../links.ts'
import { richTextHtml } from '../rich_text.ts'
import type { PageView } from '../page_view.ts'

/** The comments on a block or page, folded. */
export function commentsOf(view: PageView, id: string, isOpen = false): Html | undefined {
  const comments = view.comments.get(id) ?? []
  if (comments.length === 0) return undefined
  const threads = [...Map.groupBy(comments, ({ discussion_id: discussion }) => discussion).values()]
  return markup`<details class="comments"${isOpen && markup` open`}><summary>${comments.length === 1 ? '1 comment' : `${comments.length} comments`}</summary>
${threads.map((thread) => markup`<ol>${thread.map((comment) => commentOf(view, comment))}</ol>`)}</details>`
}

function commentOf(view: PageView, { rich_text: text, display_name: name, created_time: time, attachments = [] }: Comment): Html {
  return markup`<li><p class="by"><strong>${name.resolved_name ?? 'Somebody'}</strong> ${momentElement(time, view.locale)}</p>
<p>${richTextHtml(view, text)}</p>${attachments.length > 0 && markup`<p>${attachments.map((one) => attachmentOf(view, one))}</p>`}</li>`
}

function attachmentOf(view: PageView, { category, file }: CommentAttachment): Html {
  const path = ownFile(view, file.url)
  return path === undefined
    ? markup``
    : markup`<a href="${path}">Attached ${category === 'productivity' ? 'file' : category}</a> `
}
