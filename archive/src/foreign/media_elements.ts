import { mediaKindOf } from '@workspace-service/server/domain/files/index.ts'
import {
  isFileAddress,
  markdownBlock,
  type BlockFields,
  type Inline,
  type MarkdownBlock,
} from '@workspace-service/server/domain/content/index.ts'
import { hasScheme } from '@workspace-service/server/kernel/urls.ts'
import { addAnchor } from './add_anchor.ts'
import type { Flow, TextStyle } from './flow.ts'
import type { HtmlElement } from './html_tree.ts'
import type { PageConversion } from './page_conversion.ts'
import { noteNameIn, shownAddress } from './shown_address.ts'

type MediaType = 'image' | 'video' | 'audio' | 'pdf' | 'file'

/** Adds a picture, video or sound as a separate block. A link around it goes into its caption. */
export function addMedia(
  element: HtmlElement,
  flow: Flow,
  conversion: PageConversion,
  style: TextStyle,
  wanted: MediaType = 'image',
  src = element.attributes['src'] ?? '',
): void {
  const { alt = '' } = element.attributes
  const link = style.linkedPicture === element ? style.link : undefined
  const label = alt.replace(/\s+/g, ' ').trim()
  const media = mediaOf(src, conversion, wanted)
  const note = noteNameIn(src)
  if (!media && conversion.targets.get(src)?.kind === 'record')
    return addAnchor({ name: 'a', attributes: { href: src }, children: [label || (note ?? src)] }, flow, conversion, style)
  if (!media) {
    conversion.reportLoss(`${wanted} ${shownAddress(src)}`, reasonOf(src))
    return flow.text(label || (link ?? (note === undefined ? '' : `![[${note}]]`)), style)
  }
  const caption = label || (link ?? '')
  const text: Inline[] =
    caption === '' ? [] : [{ type: 'text', text: caption, outcomes: {}, ...(link === undefined ? {} : { link }) }]
  flow.block(markdownBlock(media.type, { text, fields: media.fields }))
}

function reasonOf(src: string): string {
  const reason = hasScheme(src, ['http:', 'https:'])
    ? 'Its address is longer than the service allows.'
    : 'It was found neither in the archive nor on the web.'
  return `${reason} Its description was kept.`
}

export function mediaOf(
  src: string,
  { targets }: PageConversion,
  wanted: MediaType = 'image',
): { readonly type: MediaType; readonly fields: BlockFields } | undefined {
  const target = targets.get(src)
  if (target?.kind === 'file') {
    const kind = mediaKindOf(target.upload.type)
    return { type: kind === 'other' ? 'file' : kind, fields: { source: `file-upload://${target.upload.id}` } }
  }
  return target?.kind === 'address' && isFileAddress(target.url) ? { type: wanted, fields: { source: target.url } } : undefined
}

/** The caption of a figure becomes the caption of its picture; elsewhere it becomes text. */
export function withCaption(blocks: readonly MarkdownBlock[], caption: readonly Inline[]): MarkdownBlock[] {
  const [first, ...others] = blocks
  if (caption.length === 0) return [...blocks]
  if (!first || !['image', 'video', 'audio', 'pdf', 'file'].includes(first.type))
    return [...blocks, markdownBlock('paragraph', { text: caption })]
  const isLinked = first.text.some((inline) => inline.type === 'text' && inline.link !== undefined)
  const text: readonly Inline[] = isLinked ? [...first.text, { type: 'text', text: ' ', outcomes: {} }, ...caption] : caption
  return [{ ...first, text }, ...others]
}
