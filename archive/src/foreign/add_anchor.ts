import { mediaKindOf } from '@workspace-service/server/domain/files/index.ts'
import { markdownBlock, type Inline } from '@workspace-service/server/domain/content/index.ts'
import { undashed } from '@workspace-service/server/kernel/ids.ts'
import { nameOfFile } from '../import/archive_paths.ts'
import type { PageConversion } from './page_conversion.ts'
import type { Flow, TextStyle } from './flow.ts'
import { findElement, isMedia, isOwnPicture, textIn, type HtmlElement } from './html_tree.ts'
import { noteNameIn, shownAddress } from './shown_address.ts'
import type { LinkTarget } from './link_target.ts'

export function addAnchor(element: HtmlElement, flow: Flow, conversion: PageConversion, style: TextStyle): void {
  const address = element.attributes['href'] ?? ''
  const target = conversion.targets.get(address)
  const label = textIn(element).replace(/\s+/g, ' ').trim()
  if (address === '' || !target) return conversion.addNodes(element.children, flow, style)
  if (target.kind === 'lost') {
    conversion.reportLoss(`link to ${shownAddress(address)}`, `${target.reason} The text of the link was kept.`)
    // Restores the brackets of a link to a note. Other texts may be in double brackets, too, and are added without them below.
    if (label === noteNameIn(address)) return flow.text(`[[${label}]]`, style)
  }
  if (target.kind === 'file') return addFile(element, target, label, flow, conversion, style)
  const link = linkOf(target)
  const linkedPicture = label === '' ? findElement(element, isMedia) : undefined
  const inner = link === undefined ? style : { ...style, link, linkedPicture }
  if (target.kind === 'record' && label === nameOfFile(target.path))
    return flow.object({ type: 'mention', kind: target.record, id: target.id, label }, style)
  const { added } = flow
  conversion.addNodes(element.children, flow, inner)
  // A link without text shows its address.
  if (flow.added === added && label === '') flow.text(address, inner)
}

function linkOf(target: LinkTarget): string | undefined {
  if (target.kind === 'address') return target.url
  return target.kind === 'record' ? `/${undashed(target.id)}` : undefined
}

/** A picture that links to its own file becomes only the picture; other files follow the text that links to them. */
function addFile(
  element: HtmlElement,
  { upload }: Extract<LinkTarget, { kind: 'file' }>,
  label: string,
  flow: Flow,
  conversion: PageConversion,
  style: TextStyle,
): void {
  const { added } = flow
  conversion.addNodes(element.children, flow, style)
  if (isOwnPicture(element) && flow.added > added) return
  const kind = mediaKindOf(upload.type)
  const text: Inline[] = label === '' ? [] : [{ type: 'text', text: label, outcomes: {} }]
  flow.follows(markdownBlock(kind === 'other' ? 'file' : kind, { text, fields: { source: `file-upload://${upload.id}` } }))
}
