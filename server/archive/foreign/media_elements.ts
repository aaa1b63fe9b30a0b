import { mediaKindOf } from '../../domain/file_uploads/types.ts'
import { isFileAddress } from '../../domain/markdown/shared/addresses.ts'
import { markdownBlock, type BlockFields, type Inline, type MarkdownBlock } from '../../domain/markdown/shared/markdown_block.ts'
import type { Flow, TextStyle } from './flow.ts'
import type { HtmlElement } from './html_tree.ts'
import type { PageConversion } from './page_conversion.ts'
import { shownAddress } from './shown_address.ts'

type MediaType = 'image' | 'video' | 'audio' | 'pdf' | 'file'

/** Adds a picture, film or sound as a block of its own. A link around it goes into its caption. */
export function addMedia(
  element: HtmlElement,
  flow: Flow,
  conversion: PageConversion,
  style: TextStyle,
  wanted: MediaType = 'image',
): void {
  const { src = '', alt = '' } = element.attributes
  const label = alt.replace(/\s+/g, ' ').trim()
  const media = mediaOf(src, conversion, wanted)
  if (!media) {
    conversion.lose(`${wanted} ${shownAddress(src)}`, 'Neither the archive nor the web has it. Its description is there.')
    if (label !== '' || style.link !== undefined) flow.text(label || (style.link ?? ''), style)
    return
  }
  const caption = label === '' && style.link !== undefined ? style.link : label
  const text: Inline[] =
    caption === '' ? [] : [{ type: 'text', text: caption, marks: {}, ...(style.link === undefined ? {} : { link: style.link }) }]
  flow.block(markdownBlock(media.type, { text, fields: media.fields }))
}

function mediaOf(
  src: string,
  { targets }: PageConversion,
  wanted: MediaType,
): { readonly type: MediaType; readonly fields: BlockFields } | undefined {
  const target = targets.get(src)
  if (target?.kind === 'file') {
    const kind = mediaKindOf(target.upload.type)
    return { type: kind === 'other' ? 'file' : kind, fields: { source: `file-upload://${target.upload.id}` } }
  }
  return target?.kind === 'address' && isFileAddress(target.url) ? { type: wanted, fields: { source: target.url } } : undefined
}

/** The caption of a figure goes to its picture; elsewhere it is a text. */
export function withCaption(blocks: readonly MarkdownBlock[], caption: readonly Inline[]): MarkdownBlock[] {
  const [first, ...others] = blocks
  if (caption.length === 0) return [...blocks]
  const isMedia = first && ['image', 'video', 'audio', 'pdf', 'file'].includes(first.type)
  return isMedia ? [{ ...first, text: caption }, ...others] : [...blocks, markdownBlock('paragraph', { text: caption })]
}
