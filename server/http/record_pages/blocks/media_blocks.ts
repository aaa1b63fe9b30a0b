import type { EmbedContent, FileContent, MediaContent, RichTextItem, UrlContent } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import { safeLink, ownFile } from '../links.ts'
import { joinedPlainText, richTextHtml } from '../rich_text.ts'
import type { PageView } from '../page_view.ts'
import type { BlockToRender } from './block_to_render.ts'

/** Shows files of this service. Files on other hosts are links, so that no other host learns who reads the page. */
export function renderMedia({ view }: BlockToRender, kind: 'image' | 'video' | 'audio' | 'pdf', content: MediaContent): Html {
  const address = content.type === 'file' ? content.file.url : content.external.url
  const path = content.type === 'file' ? ownFile(view, address) : undefined
  const shown = path === undefined ? linkCard(view, address, NAMES[kind]) : player(kind, path, joinedPlainText(content.caption))
  return figure(view, shown, content.caption)
}

const NAMES = { image: 'Image', video: 'Video', audio: 'Audio', pdf: 'PDF' } as const

function player(kind: keyof typeof NAMES, path: string, caption: string): Html {
  switch (kind) {
    case 'image':
      return markup`<img src="${path}" alt="${caption}" loading="lazy">`
    case 'video':
      return markup`<video src="${path}" controls preload="metadata" aria-label="${caption || 'Video'}"></video>`
    case 'audio':
      return markup`<audio src="${path}" controls preload="metadata" aria-label="${caption || 'Audio'}"></audio>`
    case 'pdf':
      return card(path, 'PDF', fileName(path))
  }
}

/** The name of a file of this service, which is the end of its path. */
function fileName(path: string): string {
  const [name = ''] = path.split('?', 1)[0]?.split('/').slice(-1) ?? []
  return decodeURIComponent(name)
}

export function renderFile({ view }: BlockToRender, content: FileContent): Html {
  const shown =
    content.type === 'file'
      ? card(ownFile(view, content.file.url), 'File', content.name)
      : linkCard(view, content.external.url, 'File', content.name)
  return figure(view, shown, content.caption)
}

export function renderBookmark({ view }: BlockToRender, { url, caption }: UrlContent): Html {
  return figure(view, linkCard(view, url, 'Link'), caption)
}

/** Shows a link where other sites show a frame. */
export function renderEmbed({ view }: BlockToRender, { url, caption, file: stored }: EmbedContent): Html {
  const shown =
    stored === undefined ? linkCard(view, url, 'Embed') : card(ownFile(view, stored.url), 'Embed', fileName(stored.url))
  return figure(view, shown, caption)
}

export function renderLinkPreview({ view }: BlockToRender, { url }: { readonly url: string }): Html {
  return linkCard(view, url, 'Link')
}

function linkCard(view: PageView, address: string, kind: string, name?: string): Html {
  const target = safeLink(view, address)
  return card(target?.href, target?.host === undefined ? kind : `${kind} on ${target.host}`, name ?? address)
}

/** A link on a line of its own; only its text if it must not become a link. */
function card(href: string | undefined, kind: string, name: string): Html {
  const text = markup`<span class="name">${name}</span><span class="kind">${kind}</span>`
  return href === undefined
    ? markup`<div class="card">${text}</div>`
    : markup`<a class="card" href="${href}" rel="noopener noreferrer nofollow">${text}</a>`
}

function figure(view: PageView, shown: Html, caption: readonly RichTextItem[]): Html {
  if (caption.length === 0) return markup`<figure>${shown}</figure>`
  return markup`<figure>${shown}<figcaption>${richTextHtml(view, caption)}</figcaption></figure>`
}
