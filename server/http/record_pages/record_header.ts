import type { Cover, Icon, RichTextItem } from '../../../generated/types.ts'
import { markup, type Html } from '../oauth/html.ts'
import { crumbsOf } from './blocks/record_blocks.ts'
import { momentElement } from './dates.ts'
import { iconElement } from './icon.ts'
import { ownFile } from './links.ts'
import type { PageView } from './page_view.ts'
import { richTextHtml } from './rich_text.ts'

interface HeadedRecord {
  readonly kind: 'page' | 'database'
  readonly title: readonly RichTextItem[]
  readonly icon: Icon | null
  readonly cover: Cover | null
  readonly inTrash: boolean
  readonly editedTime: string
}

export function recordHeader(view: PageView, { kind, title, icon, cover, inTrash, editedTime }: HeadedRecord): Html {
  const path = cover?.type === 'file' ? ownFile(view, cover.file.url) : undefined
  return markup`<p class="to-pages"><a href="#pages">All pages</a></p>
${path !== undefined && markup`<img class="page-cover" src="${path}" alt="">`}
${view.path.length > 0 && markup`<nav aria-label="Breadcrumb"><ol class="crumbs">${crumbsOf(view)}</ol></nav>`}
${inTrash && markup`<p class="trash" role="status">This ${kind} is in the trash.</p>`}
<h1>${iconElement(view, icon)}${title.length > 0 ? richTextHtml(view, title) : 'Untitled'}</h1>
<p class="meta">Edited ${momentElement(editedTime, view.locale)}${view.accessPath !== undefined && markup` · <a href="${view.accessPath}">Who sees this</a>`}</p>`
}
