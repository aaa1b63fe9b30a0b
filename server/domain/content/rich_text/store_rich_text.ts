import type { MentionRequest, RichTextItemRequest } from '../../../../generated/types.ts'
import { parseDateForm } from '../../shared/index.ts'
import type { ReferenceList } from '../references.ts'
import { storedAnnotations, type StoredItem, type StoredMention, type StoredRichText } from './stored.ts'

/**
 * Turns written rich text into its stored form. Items with empty content are dropped; nothing is merged.
 * @param path of the array in the request
 * @param references collects what the mentions refer to
 */
export function storeRichText(items: readonly RichTextItemRequest[], path: string, references: ReferenceList): StoredRichText {
  const stored: StoredItem[] = []
  for (const [index, item] of items.entries()) {
    const kept = storeItem(item, `${path}[${index}]`, references)
    if (kept) stored.push(kept)
  }
  return stored
}

function storeItem(item: RichTextItemRequest, path: string, references: ReferenceList): StoredItem | undefined {
  const annotations = storedAnnotations(item.annotations)
  const decoration = annotations === undefined ? {} : { annotations }
  if ('text' in item) {
    if (item.text.content === '') return undefined
    const link = item.text.link ? { link: { url: item.text.link.url } } : {}
    return { type: 'text', text: { content: item.text.content, ...link }, ...decoration }
  }
  if ('equation' in item) return { type: 'equation', equation: { expression: item.equation.expression }, ...decoration }
  return { type: 'mention', mention: storeMention(item.mention, `${path}.mention`, references), ...decoration }
}

function storeMention(mention: MentionRequest, path: string, references: ReferenceList): StoredMention {
  if ('user' in mention) return { type: 'user', user: { id: references.add('user', mention.user.id, `${path}.user.id`) } }
  if ('page' in mention) return { type: 'page', page: { id: references.add('page', mention.page.id, `${path}.page.id`) } }
  if ('database' in mention) {
    return { type: 'database', database: { id: references.add('database', mention.database.id, `${path}.database.id`) } }
  }
  if ('custom_emoji' in mention) {
    return {
      type: 'custom_emoji',
      custom_emoji: { id: references.add('custom emoji', mention.custom_emoji.id, `${path}.custom_emoji.id`) },
    }
  }
  if ('date' in mention) return { type: 'date', date: parseDateForm(mention.date, `${path}.date`) }
  return { type: 'template_mention', template_mention: storeTemplateMention(mention.template_mention) }
}

function storeTemplateMention(
  mention: Extract<MentionRequest, { template_mention: unknown }>['template_mention'],
): Extract<StoredMention, { type: 'template_mention' }>['template_mention'] {
  return 'template_mention_date' in mention
    ? { type: 'template_mention_date', template_mention_date: mention.template_mention_date }
    : { type: 'template_mention_user', template_mention_user: mention.template_mention_user }
}
