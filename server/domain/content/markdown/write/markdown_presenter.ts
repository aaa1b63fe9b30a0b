import type { TemplateMention, UserValue } from '../../../../../generated/types.ts'
import type { SlicedWork } from '../../../../kernel/yield_to_event_loop.ts'
import type { AnyNode, MarkdownView, PageNode, ShowFacts } from '../../block_types/markdown_rules.ts'
import { definitionOf } from '../../block_types/index.ts'
import { presentIcon, type StoredIcon } from '../../icons.ts'
import type { Facts } from '../../rich_text/facts.ts'
import type { StoredItem, StoredMention, StoredRichText } from '../../rich_text/stored.ts'
import { markdownBlock, type Inline, type MarkdownBlock } from '../shared/markdown_block.ts'
import { blockAddress, recordAddress } from '../shared/record_addresses.ts'
import { iconWord } from './icon_word.ts'

/** Converts stored blocks to blocks of the dialect, and records which stored block each one represents. */
export class MarkdownPresenter<Node extends PageNode<Node>> implements MarkdownView {
  readonly nodes = new Map<MarkdownBlock, Node>()
  readonly facts: ShowFacts

  constructor(facts: ShowFacts) {
    this.facts = facts
  }

  list(nodes: readonly Node[]): readonly MarkdownBlock[] {
    return nodes.length === 0 ? NO_BLOCKS : nodes.map((node) => this.block(node))
  }

  block(node: Node): MarkdownBlock {
    return this.shows(node, node.isMissing ? this.unknown(node) : definitionOf(node.block.type).markdown.present(node, this))
  }

  shows(node: Node, block: MarkdownBlock): MarkdownBlock {
    this.nodes.set(block, node)
    return block
  }

  unknown({ block }: AnyNode): MarkdownBlock {
    const { id, type: alt } = block
    return markdownBlock('unsupported', { fields: { id, url: blockAddress(block, this.facts.baseUrl), alt } })
  }

  icon(stored: unknown): string | undefined {
    return iconWord(presentIcon((stored ?? null) as StoredIcon | null, this.facts), this.facts.baseUrl)
  }

  text(stored: unknown): Inline[] {
    const inlines: Inline[] = []
    for (const item of (stored ?? []) as StoredRichText) {
      const inline = presentInline(item, this.facts)
      if (inline) inlines.push(inline)
    }
    return inlines
  }
}

/** Presents blocks without recursion, so that it can pause between any two of them. */
export class SlicedPresenter<Node extends PageNode<Node>> extends MarkdownPresenter<Node> {
  readonly #waiting: { readonly nodes: readonly Node[]; readonly blocks: MarkdownBlock[] }[] = []

  /** @returns a list that is filled later */
  override list(nodes: readonly Node[]): readonly MarkdownBlock[] {
    if (nodes.length === 0) return NO_BLOCKS
    const blocks: MarkdownBlock[] = []
    this.#waiting.push({ nodes, blocks })
    return blocks
  }

  *presented(node: Node): SlicedWork<MarkdownBlock> {
    const top = this.block(node)
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop())
      for (const node of next.nodes) {
        next.blocks.push(this.block(node))
        yield
      }
    return top
  }
}

const NO_BLOCKS: readonly MarkdownBlock[] = []
const NO_MARKS: Inline['outcomes'] = {}

/** @returns undefined for an emoji that no longer exists */
function presentInline(item: StoredItem, facts: Facts): Inline | undefined {
  const marks = item.annotations ?? NO_MARKS
  switch (item.type) {
    case 'text': {
      const { content, link } = item.text
      return { type: 'text', text: content, outcomes: marks, ...(link === undefined ? {} : { link: link.url }) }
    }
    case 'equation':
      return { type: 'equation', expression: item.equation.expression, outcomes: marks }
    case 'mention':
      return presentMention(item.mention, marks, facts)
  }
}

function presentMention(mention: StoredMention, marks: Inline['outcomes'], facts: Facts): Inline | undefined {
  switch (mention.type) {
    case 'user': {
      const { id } = mention.user
      return { type: 'mention', kind: 'user', id, url: `user://${id}`, label: nameOf(facts.users.get(id)), outcomes: marks }
    }
    case 'page':
      return targetMention('page', mention.page.id, marks, facts)
    case 'database':
      return targetMention('database', mention.database.id, marks, facts)
    case 'date':
      return { type: 'date', date: mention.date, outcomes: marks }
    case 'custom_emoji': {
      const emoji = facts.emojis.get(mention.custom_emoji.id)
      return emoji && { type: 'emoji', name: emoji.name, outcomes: marks }
    }
    case 'template_mention':
      return { type: 'text', text: mentionWord(mention.template_mention), outcomes: marks }
  }
}

function targetMention(kind: 'page' | 'database', id: string, marks: Inline['outcomes'], facts: Facts): Inline {
  return {
    type: 'mention',
    kind,
    id,
    url: recordAddress(id, facts.baseUrl),
    label: facts.titles.get(id) || 'Untitled',
    outcomes: marks,
  }
}

function nameOf(user: UserValue | undefined): string {
  return (user && 'name' in user && user.name) || 'Anonymous'
}

function mentionWord(mention: TemplateMention): string {
  return mention.type === 'template_mention_user' ? '@me' : `@${mention.template_mention_date}`
}
