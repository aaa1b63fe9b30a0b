import type { Mention, RichTextItem } from '../../../../generated/types.ts'
import { undashed } from '../../../kernel/ids.ts'
import { partialUser } from '../../people/index.ts'
import type { Facts } from './facts.ts'
import { fullAnnotations, type StoredItem, type StoredMention, type StoredRichText } from './stored.ts'

/** Stored rich text as a response shows it, including all derived members. */
export function presentRichText(stored: StoredRichText, facts: Facts): RichTextItem[] {
  return stored.map((item) => presentItem(item, facts))
}

/**
 * Like `presentRichText`, with the names of a limited number of mentioned pages and people. Further mentions are presented as if
 * their target were not visible, with their annotations.
 */
export function presentWithFewNames(stored: StoredRichText, facts: Facts, namesMax: number): RichTextItem[] {
  const noNames: Facts = { ...facts, users: new Map(), titles: new Map() }
  let names = 0
  return stored.map((item) => {
    if (item.type !== 'mention' || (item.mention.type !== 'page' && item.mention.type !== 'user')) return presentItem(item, facts)
    names += 1
    return names <= namesMax
      ? presentItem(item, facts)
      : { ...presentItem(item, noNames), annotations: fullAnnotations(item.annotations) }
  })
}

/** The plain text of rich text: that of all items, joined. */
export function plainText(stored: StoredRichText, facts: Facts): string {
  return stored.map((item) => presentItem(item, facts).plain_text).join('')
}

function presentItem(item: StoredItem, facts: Facts): RichTextItem {
  const annotations = fullAnnotations(item.annotations)
  switch (item.type) {
    case 'text': {
      const { content, link } = item.text
      return { type: 'text', text: { content, link: link ?? null }, annotations, plain_text: content, href: link?.url ?? null }
    }
    case 'equation':
      return { type: 'equation', equation: item.equation, annotations, plain_text: item.equation.expression, href: null }
    case 'mention': {
      const shown = presentMention(item.mention, facts)
      return {
        type: 'mention',
        mention: shown.mention,
        annotations: shown.hidden ? fullAnnotations(undefined) : annotations,
        plain_text: shown.plainText,
        href: shown.href,
      }
    }
  }
}

interface ShownMention {
  readonly mention: Mention
  readonly plainText: string
  readonly href: string | null
  /** Whether the caller cannot see the target, in which case the annotations are hidden too. */
  readonly hidden?: boolean
}

function presentMention(mention: StoredMention, facts: Facts): ShownMention {
  switch (mention.type) {
    case 'user': {
      const user = facts.users.get(mention.user.id) ?? partialUser(mention.user.id)
      return { mention: { type: 'user', user }, plainText: `@${('name' in user && user.name) || 'Anonymous'}`, href: null }
    }
    case 'date': {
      const { start, end } = mention.date
      return { mention, plainText: end === null ? start : `${start} → ${end}`, href: null }
    }
    case 'page':
      return { mention, ...presentTarget(mention.page.id, facts) }
    case 'database':
      return { mention, ...presentTarget(mention.database.id, facts) }
    case 'custom_emoji': {
      const emoji = facts.emojis.get(mention.custom_emoji.id)
      return emoji
        ? { mention: { type: 'custom_emoji', custom_emoji: emoji }, plainText: `:${emoji.name}:`, href: null }
        : {
            mention: { type: 'custom_emoji', custom_emoji: { id: mention.custom_emoji.id, name: '', url: '' } },
            plainText: '',
            href: null,
            hidden: true,
          }
    }
    case 'template_mention':
      return { mention, plainText: presentTemplateMention(mention.template_mention), href: null }
  }
}

function presentTarget(id: string, facts: Facts): Omit<ShownMention, 'mention'> {
  const title = facts.titles.get(id)
  return { plainText: title || 'Untitled', href: `${facts.baseUrl}/${undashed(id)}`, hidden: title === undefined }
}

function presentTemplateMention(mention: Extract<StoredMention, { type: 'template_mention' }>['template_mention']): string {
  if (mention.type === 'template_mention_user') return '@Me'
  return mention.template_mention_date === 'today' ? '@Today' : '@Now'
}
