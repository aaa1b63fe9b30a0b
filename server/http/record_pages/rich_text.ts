import type { Mention, RichTextItem } from '../../../generated/types.ts'
import { markup, type Html } from '../oauth/html.ts'
import { dateValue } from './dates.ts'
import { safeLink, ownFile } from './links.ts'
import type { PageView } from './page_view.ts'

/** Rich text with its annotations, links, mentions and equations. */
export function richTextHtml(view: PageView, items: readonly RichTextItem[]): Html {
  return markup`${items.map((item) => itemOf(view, item))}`
}

export function joinedPlainText(items: readonly Pick<RichTextItem, 'plain_text'>[]): string {
  return items.map(({ plain_text: text }) => text).join('')
}

function itemOf(view: PageView, item: RichTextItem): Html {
  const content = contentOf(view, item)
  return annotated(item, item.href === null || item.type === 'mention' ? content : linked(view, item.href, content))
}

function contentOf(view: PageView, item: RichTextItem): Html {
  switch (item.type) {
    case 'text':
      return markup`${item.text.content}`
    case 'equation':
      return equationHtml(view, item.equation.expression)
    case 'mention':
      return mention(view, item.mention, item.plain_text)
  }
}

/** An equation within a line, or as a block. If it is invalid, its text is shown. */
export function equationHtml(view: PageView, expression: string, isBlock = false): Html {
  return view.libraries.equation(expression, isBlock) ?? markup`<code>${expression}</code>`
}

/** A link to an address. If the address must not become a link, only the content is returned. */
export function linked(view: PageView, address: string, content: Html): Html {
  const target = safeLink(view, address)
  if (!target) return content
  if (target.host === undefined) return markup`<a href="${target.href}">${content}</a>`
  return markup`<a href="${target.href}" rel="noopener noreferrer nofollow">${content}</a>`
}

function mention(view: PageView, mentioned: Mention, name: string): Html {
  switch (mentioned.type) {
    case 'user':
    case 'template_mention':
      return markup`<span class="mention">${name}</span>`
    case 'date':
      return markup`<span class="mention">${dateValue(mentioned.date, view.locale)}</span>`
    case 'page':
      return recordLink(view, mentioned.page.id, name)
    case 'database':
      return recordLink(view, mentioned.database.id, name)
    case 'custom_emoji':
      return emoji(view, mentioned.custom_emoji)
    case 'link_preview':
      return linked(view, mentioned.link_preview.url, markup`${name}`)
    case 'link_mention':
      return linked(view, mentioned.link_mention.href, markup`${mentioned.link_mention.title ?? name}`)
  }
}

function recordLink(view: PageView, id: string, name: string): Html {
  return markup`<a class="mention" href="${view.base}/${id.replaceAll('-', '')}">${name}</a>`
}

function emoji(view: PageView, { name, url }: { readonly name: string; readonly url: string }): Html {
  const path = ownFile(view, url)
  return path === undefined ? markup`${name === '' ? '' : `:${name}:`}` : markup`<img class="icon" src="${path}" alt=":${name}:">`
}

function annotated({ annotations }: RichTextItem, content: Html): Html {
  const { bold, italic, strikethrough, underline, code, color } = annotations
  let html = content
  if (code) html = markup`<code>${html}</code>`
  if (bold) html = markup`<strong>${html}</strong>`
  if (italic) html = markup`<em>${html}</em>`
  if (underline) html = markup`<u>${html}</u>`
  if (strikethrough) html = markup`<s>${html}</s>`
  return color === 'default' ? html : markup`<span class="${colorClass(color)}">${html}</span>`
}

/** The class for a color of the contract: `c-red`, or `bg-red` for a background. */
export function colorClass(color: string): string {
  if (color === 'default' || color === 'default_background') return ''
  const [name = ''] = color.split('_', 1)
  return color.endsWith('_background') ? `bg-${name}` : `c-${name}`
}
