import { mediaKindOf } from '../../domain/file_uploads/types.ts'
import { markdownBlock, type Inline } from '../../domain/markdown/shared/markdown_block.ts'
import { undashed } from '../../kernel/ids.ts'
import { percentDecoded } from '../../kernel/urls.ts'
import { NOTE_SCHEME } from './markdown_html.ts'
import { nameOfFile } from '../import/archive_paths.ts'
import { addNodes, type Conversion } from './convert.ts'
import type { Flow, TextStyle } from './flow.ts'
import { isOwnPicture, textIn, type HtmlElement } from './html_tree.ts'
import type { Target } from './targets.ts'

/** Adds what a link encloses, and where it leads. */
export function addLink(element: HtmlElement, flow: Flow, conversion: Conversion, style: TextStyle): void {
  const address = element.attributes['href'] ?? ''
  const target = conversion.targets.get(address)
  const label = textIn(element).replace(/\s+/g, ' ').trim()
  if (address === '' || !target) return addNodes(element.children, flow, conversion, style)
  if (target.kind === 'lost') conversion.lose(`link to ${shown(address)}`, `${target.reason} Its text is there.`)
  if (target.kind === 'file') return addFile(element, target, label, flow, conversion, style)
  const link = linkOf(target)
  const inner = link === undefined ? style : { ...style, link }
  if (target.kind === 'record' && label === nameOfFile(target.path))
    return flow.object({ type: 'mention', kind: target.record, id: target.id, label }, style)
  const before = flow.size
  addNodes(element.children, flow, conversion, inner)
  // A link without a text shows where it leads.
  if (flow.size === before && label === '') flow.text(address, inner)
}

function linkOf(target: Target): string | undefined {
  if (target.kind === 'address') return target.url
  return target.kind === 'record' ? `/${undashed(target.id)}` : undefined
}

/** A picture that leads to its own file is that picture; other files follow the text that leads to them. */
function addFile(
  element: HtmlElement,
  { upload }: Extract<Target, { kind: 'file' }>,
  label: string,
  flow: Flow,
  conversion: Conversion,
  style: TextStyle,
): void {
  const before = flow.size
  addNodes(element.children, flow, conversion, style)
  if (isOwnPicture(element) && flow.size > before) return
  const kind = mediaKindOf(upload.type)
  const text: Inline[] = label === '' ? [] : [{ type: 'text', text: label, marks: {} }]
  flow.follows(markdownBlock(kind === 'other' ? 'file' : kind, { text, fields: { source: `file-upload://${upload.id}` } }))
}

/** An address as a list of losses shows it. */
export function shown(written: string): string {
  const address = written.startsWith(NOTE_SCHEME) ? percentDecoded(written.slice(NOTE_SCHEME.length)) : written
  return address.length > 100 ? `${address.slice(0, 100)}…` : address
}
