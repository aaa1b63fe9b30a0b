import type { BlockType, Color, Icon, UserValue } from '../../../../generated/types.ts'
import { undashed } from '../../../kernel/ids.ts'
import type { Block as StoredBlock, StoredContent } from '../../../store/blocks.ts'
import { isBlockType, kinds, originalOf } from '../../blocks/kinds.ts'
import { presentIcon, type StoredIcon } from '../../icons/icons.ts'
import type { Facts } from '../../rich_text/facts.ts'
import { plainText } from '../../rich_text/present.ts'
import type { StoredItem, StoredMention, StoredRichText } from '../../rich_text/stored.ts'
import type { BlockFields, Inline, MarkdownBlock } from '../shared/markdown_block.ts'

/** A stored block with what is below it, as far as it was loaded. */
export interface PageNode<Node> {
  readonly block: Pick<StoredBlock, 'id' | 'type' | 'content' | 'pageId'>
  readonly children: readonly Node[]
  /** It stands in the text as `<unknown>`: there is too much to show, or it cannot be seen. */
  readonly isMissing: boolean
}

/** What showing a page needs besides its blocks. */
export interface ShowFacts extends Facts {
  /** Originals that copies show, for their addresses. */
  readonly originals: ReadonlyMap<string, Pick<StoredBlock, 'id' | 'pageId'>>
  /** What is shown of databases besides their names. */
  readonly databases: ReadonlyMap<string, { readonly inline: boolean; readonly icon: Icon | null }>
}

/** Blocks as the dialect shows them, and which stored block each of them shows. */
export class MarkdownPresenter<Node extends PageNode<Node>> {
  readonly nodes = new Map<MarkdownBlock, Node>()
  readonly #facts: ShowFacts

  constructor(facts: ShowFacts) {
    this.#facts = facts
  }

  list(nodes: readonly Node[]): MarkdownBlock[] {
    return nodes.map((node) => this.block(node))
  }

  block(node: Node): MarkdownBlock {
    const shown = node.isMissing ? this.#unknown(node) : this.#shown(node)
    this.nodes.set(shown, node)
    return shown
  }

  #unknown({ block }: Node): MarkdownBlock {
    return made('unsupported', [], { id: block.id, url: addressOf(block, this.#facts.baseUrl), alt: block.type })
  }

  #shown(node: Node): MarkdownBlock {
    const { content } = node.block
    const type = isBlockType(node.block.type) ? node.block.type : 'unsupported'
    switch (type) {
      case 'paragraph':
      case 'heading_1':
      case 'heading_2':
      case 'heading_3':
      case 'heading_4':
      case 'bulleted_list_item':
      case 'numbered_list_item':
      case 'to_do':
      case 'quote':
      case 'toggle':
      case 'callout':
        return this.#textBlock(type, node)
      case 'tab':
        return made(
          'tab',
          [],
          {},
          node.children.map((item) => this.#tabItem(item)),
        )
      case 'code':
        return made('code', [], {
          language: content['language'] as NonNullable<BlockFields['language']>,
          code: plainText(richText(content['rich_text']), this.#facts),
        })
      case 'equation':
        return this.#equation(node)
      case 'image':
      case 'video':
      case 'audio':
      case 'file':
      case 'pdf':
        return this.#media(type, content)
      case 'child_page':
      case 'child_database':
        return this.#target(type, node.block.id)
      case 'link_to_page':
        return this.#link(node)
      case 'synced_block':
        return this.#synced(node)
      case 'meeting_notes':
        return this.#meetingNotes(node)
      default:
        return this.#layout(type, node)
    }
  }

  #layout(type: BlockType, node: Node): MarkdownBlock {
    const { content } = node.block
    switch (type) {
      case 'divider':
        return made('divider', [], {})
      case 'table_of_contents':
        return made('table_of_contents', [], colorFields(content))
      case 'column_list':
        return made('column_list', [], {}, this.list(node.children))
      case 'column': {
        const ratio = content['width_ratio']
        return made('column', [], typeof ratio === 'number' ? { widthRatio: ratio } : {}, this.list(node.children))
      }
      case 'table':
        return made(
          'table',
          [],
          {
            ...(content['has_column_header'] === true ? { columnHeader: true } : {}),
            ...(content['has_row_header'] === true ? { rowHeader: true } : {}),
          },
          this.list(node.children),
        )
      case 'table_row':
        return made('table_row', [], { cells: (content['cells'] as StoredRichText[]).map((cell) => this.#text(cell)) })
      default:
        return this.#unknown(node)
    }
  }

  #textBlock(type: BlockType, node: Node): MarkdownBlock {
    const { content } = node.block
    const start = content['list_start_index']
    const icon = type === 'callout' ? this.#iconWord(content['icon']) : undefined
    const fields: BlockFields = {
      ...colorFields(content),
      ...(content['is_toggleable'] === true ? { toggle: true } : {}),
      ...(type === 'to_do' ? { checked: content['checked'] === true } : {}),
      ...(typeof start === 'number' ? { start } : {}),
      ...(icon === undefined ? {} : { icon }),
    }
    return made(type, this.#text(content['rich_text']), fields, this.list(node.children))
  }

  #tabItem(node: Node): MarkdownBlock {
    if (node.isMissing) return this.block(node)
    const { content } = node.block
    const icon = this.#iconWord(content['icon'])
    const item = made(
      'paragraph',
      this.#text(content['rich_text']),
      { ...colorFields(content), ...(icon === undefined ? {} : { icon }) },
      this.list(node.children),
    )
    this.nodes.set(item, node)
    return item
  }

  /** An expression that would end early cannot be written. */
  #equation(node: Node): MarkdownBlock {
    const expression = String(node.block.content['expression'])
    return expression.trim() === '' || /^[ \t]*\$\$[ \t]*$/m.test(expression) || expression.includes('\r')
      ? this.#unknown(node)
      : made('equation', [], { expression })
  }

  #media(type: 'image' | 'video' | 'audio' | 'file' | 'pdf', content: StoredContent): MarkdownBlock {
    const read = kinds[type].content.read(content, this.#facts) as {
      readonly external?: { readonly url: string }
      readonly file?: { readonly url: string }
    }
    return made(type, this.#text(content['caption']), { source: read.external?.url ?? read.file?.url ?? '' })
  }

  #target(type: 'child_page' | 'child_database', id: string): MarkdownBlock {
    const label = this.#facts.titles.get(id) || 'Untitled'
    const url = recordAddress(id, this.#facts.baseUrl)
    const database = this.#facts.databases.get(id)
    const icon = type === 'child_database' ? iconWord(database?.icon ?? null, this.#facts.baseUrl) : undefined
    return made(type, [{ type: 'text', text: label, marks: {} }], {
      id,
      url,
      ...(icon === undefined ? {} : { icon }),
      ...(database?.inline ? { inline: true } : {}),
    })
  }

  #link(node: Node): MarkdownBlock {
    const { page_id: page, database_id: database } = node.block.content
    if (typeof page === 'string') return this.#target('child_page', page)
    return typeof database === 'string' ? this.#target('child_database', database) : this.#unknown(node)
  }

  #synced(node: Node): MarkdownBlock {
    const { baseUrl, originals } = this.#facts
    const original = originalOf(node.block)
    const fields: BlockFields =
      original === undefined
        ? { id: node.block.id, url: addressOf(node.block, baseUrl) }
        : { id: original, url: addressOf(originals.get(original) ?? { id: original, pageId: null }, baseUrl), alt: 'copy' }
    return made('synced_block', [], fields, this.list(node.children))
  }

  #meetingNotes(node: Node): MarkdownBlock {
    const { content, pageId } = node.block
    const pointers = (content['children'] ?? {}) as Readonly<Record<string, string | undefined>>
    const parts = ['summary', 'notes', 'transcript'].flatMap((name) => {
      const part = node.children.find(({ block }) => block.id === pointers[`${name}_block_id`])
      return part ? [made('paragraph', [], { alt: name }, this.list(part.children))] : []
    })
    const transcript = pointers['transcript_block_id']
    const isShown = parts.some(({ fields }) => fields.alt === 'transcript')
    const url = transcript === undefined || isShown ? undefined : addressOf({ id: transcript, pageId }, this.#facts.baseUrl)
    const title = content['title'] === undefined ? [] : this.#text(content['title'])
    return made(
      'meeting_notes',
      title,
      { ...(transcript === undefined ? {} : { id: transcript }), ...(url === undefined ? {} : { transcript: url }) },
      parts,
    )
  }

  #iconWord(stored: unknown): string | undefined {
    return iconWord(presentIcon((stored ?? null) as StoredIcon | null, this.#facts), this.#facts.baseUrl)
  }

  #text(stored: unknown): Inline[] {
    const inlines: Inline[] = []
    for (const item of richText(stored)) {
      const inline = inlineOf(item, this.#facts)
      if (inline) inlines.push(inline)
    }
    return inlines
  }
}

function made(
  type: BlockType,
  text: readonly Inline[],
  fields: BlockFields,
  children: readonly MarkdownBlock[] = [],
): MarkdownBlock {
  return { type, text, fields, children, line: 0 }
}

function richText(stored: unknown): StoredRichText {
  return (stored ?? []) as StoredRichText
}

function colorFields(content: StoredContent): BlockFields {
  const color = content['color'] as Color | undefined
  return color === undefined || color === 'default' ? {} : { color }
}

/** Where a page or database is found. */
function recordAddress(id: string, baseUrl: string): string {
  return `${baseUrl}/${undashed(id)}`
}

/** Where a block is found: behind the address of its page. */
export function addressOf({ id, pageId }: Pick<StoredBlock, 'id' | 'pageId'>, baseUrl: string): string {
  return pageId === null ? recordAddress(id, baseUrl) : `${recordAddress(pageId, baseUrl)}#${undashed(id)}`
}

function iconWord(icon: Icon | null, baseUrl: string): string | undefined {
  switch (icon?.type) {
    case 'emoji':
      return icon.emoji
    case 'custom_emoji':
      return `:${icon.custom_emoji.name}:`
    case 'icon':
      return `${baseUrl}/icons/${icon.icon.name}_${icon.icon.color}.svg`
    case 'external':
      return icon.external.url
    case 'file':
      return icon.file.url
    case undefined:
      return undefined
  }
}

/** @returns undefined for an emoji that is no more */
export function inlineOf(item: StoredItem, facts: Facts): Inline | undefined {
  const marks = item.annotations ?? {}
  switch (item.type) {
    case 'text': {
      const { content, link } = item.text
      return { type: 'text', text: content, marks, ...(link === undefined ? {} : { link: link.url }) }
    }
    case 'equation':
      return { type: 'equation', expression: item.equation.expression, marks }
    case 'mention':
      return mentionOf(item.mention, marks, facts)
  }
}

function mentionOf(mention: StoredMention, marks: Inline['marks'], facts: Facts): Inline | undefined {
  switch (mention.type) {
    case 'user':
      return {
        type: 'mention',
        kind: 'user',
        id: mention.user.id,
        url: `user://${mention.user.id}`,
        label: nameOf(facts.users.get(mention.user.id)),
        marks,
      }
    case 'page':
      return targetMention('page', mention.page.id, marks, facts)
    case 'database':
      return targetMention('database', mention.database.id, marks, facts)
    case 'date':
      return { type: 'date', date: mention.date, marks }
    case 'custom_emoji': {
      const emoji = facts.emojis.get(mention.custom_emoji.id)
      return emoji && { type: 'emoji', name: emoji.name, marks }
    }
    case 'template_mention':
      return { type: 'text', text: templateWord(mention.template_mention), marks }
  }
}

function targetMention(kind: 'page' | 'database', id: string, marks: Inline['marks'], facts: Facts): Inline {
  return { type: 'mention', kind, id, url: recordAddress(id, facts.baseUrl), label: facts.titles.get(id) || 'Untitled', marks }
}

function nameOf(user: UserValue | undefined): string {
  return (user && 'name' in user && user.name) || 'Anonymous'
}

function templateWord(mention: Extract<StoredMention, { type: 'template_mention' }>['template_mention']): string {
  return mention.type === 'template_mention_user' ? '@me' : `@${mention.template_mention_date}`
}
