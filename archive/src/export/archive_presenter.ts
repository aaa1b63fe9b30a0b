import {
  MarkdownPresenter,
  markdownBlock,
  idOfAddress,
  type LoadedNode,
  type ShowFacts,
  type Inline,
  type MarkdownBlock,
} from '@workspace-service/server/domain/content/index.ts'
import { isStoredFile } from '@workspace-service/server/domain/files/index.ts'
import { relativeAddress } from '../archive_names.ts'
import type { ExportContext, ReportLoss } from './export_context.ts'

export interface TextPlace {
  /** The file that the text is written to. */
  readonly path: string
  readonly reportLoss: ReportLoss
}

const BECOMES_A_LINK: ReadonlySet<string> = new Set(['bookmark', 'embed', 'link_preview'])

/** Presents blocks for an archive: pages, people and files get addresses that work outside the service. */
export class ArchivePresenter extends MarkdownPresenter<LoadedNode> {
  readonly #context: Pick<ExportContext, 'index' | 'origin'>
  readonly #place: TextPlace

  constructor(facts: ShowFacts, context: Pick<ExportContext, 'index' | 'origin'>, place: TextPlace) {
    super(facts)
    this.#context = context
    this.#place = place
  }

  override list(nodes: readonly LoadedNode[]): MarkdownBlock[] {
    return nodes.flatMap((node) => this.#shown(node, this.block(node)))
  }

  override text(stored: unknown): Inline[] {
    return super.text(stored).map((inline) => this.#inline(inline))
  }

  /** The blocks for a node: none if Markdown has no form for it, several if only its children have one. */
  #shown(node: LoadedNode, block: MarkdownBlock): MarkdownBlock[] {
    const { type, content } = node.block
    const { reportLoss } = this.#place
    if (node.isMissing) {
      reportLoss(`block ${node.block.id}`, 'The page has more content than a Markdown text may have.')
      return []
    }
    if (type === 'code' && isFilled(content['caption'])) reportLoss('caption of code', 'Markdown has no syntax for it.')
    if (type === 'paragraph' && content['icon'] && block.fields.icon === undefined)
      reportLoss('icon of a paragraph', 'Markdown has no syntax for it.')
    if (block.type === 'child_page' || block.type === 'child_database') return [this.#record(block)]
    if (block.type === 'meeting_notes') {
      reportLoss('meeting notes', 'They are ordinary blocks in the archive.')
      const title = block.text.length > 0 ? [markdownBlock('paragraph', { text: block.text })] : []
      return [...title, ...block.children.flatMap(({ children }) => children)]
    }
    if (block.type === 'synced_block') {
      if (block.fields.alt !== 'copy') return [{ ...block, fields: {} }]
      reportLoss('synced copy', 'In the archive, it is an independent copy.')
      return [...block.children]
    }
    return block.type === 'unsupported' ? this.#withoutForm(node) : [block]
  }

  #withoutForm({ block: { type, content } }: LoadedNode): MarkdownBlock[] {
    const url = content['url']
    if (type === 'embed' && isStoredFile(content)) {
      const { name, link } = this.facts.files.get(content.file.id) ?? { name: 'file', link: { url: '' } }
      this.#place.reportLoss(type, `${name}: in the archive, it is a file.`)
      return [markdownBlock('file', { text: this.text(content['caption']), fields: { source: link.url } })]
    }
    if (BECOMES_A_LINK.has(type) && typeof url === 'string') {
      this.#place.reportLoss(type, `${url}: in the archive, it is a link.`)
      return [markdownBlock('paragraph', { text: [{ type: 'text', text: url, link: url, outcomes: {} }] })]
    }
    this.#place.reportLoss(`block of type ${type}`, 'Markdown has no syntax for it.')
    return []
  }

  /** The line for a page or database: a tag of the dialect around an ordinary link. */
  #record(block: MarkdownBlock): MarkdownBlock {
    const address = this.#addressOf(block.fields.id)
    const label = block.text.map((inline) => (inline.type === 'text' ? inline.text : '')).join('')
    if (address === undefined) {
      this.#place.reportLoss(`link to "${label}"`, 'Its target is not in the archive.')
      return markdownBlock('paragraph', { text: block.text })
    }
    const { icon: _icon, ...fields } = block.fields
    return { ...block, text: [{ type: 'text', text: label, link: address, outcomes: {} }], fields: { ...fields, url: address } }
  }

  #inline(inline: Inline): Inline {
    if (inline.type === 'text' && inline.link !== undefined) return { ...inline, link: this.#link(inline.link) }
    if (inline.type !== 'mention') return inline
    const { kind, id, label, outcomes: marks } = inline
    const link = kind === 'user' ? this.#mailAddress(id) : this.#addressOf(id)
    const text = kind === 'user' ? `@${label}` : label
    if (link !== undefined) return { type: 'text', text, link, outcomes: marks }
    this.#place.reportLoss(
      `mention of "${label}"`,
      kind === 'user' ? 'The person has no email address.' : 'Its target is not in the archive.',
    )
    return { type: 'text', text, outcomes: marks }
  }

  /** A link to a page of this service becomes a link to its file. */
  #link(url: string): string {
    const { origin } = this.#context
    const isOwn = url.startsWith('/') || (origin !== undefined && url.startsWith(`${origin}/`))
    return (isOwn ? this.#addressOf(idOfAddress(url)) : undefined) ?? url
  }

  #addressOf(id: string | undefined): string | undefined {
    const path = id === undefined ? undefined : this.#context.index.pathOf(id)
    return path === undefined ? undefined : relativeAddress(this.#place.path, path)
  }

  #mailAddress(id: string): string | undefined {
    const user = this.facts.users.get(id)
    const email = user && 'person' in user && 'email' in user.person ? user.person.email : undefined
    return email ? `mailto:${email}` : undefined
  }
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
