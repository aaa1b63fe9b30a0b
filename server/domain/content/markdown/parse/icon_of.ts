import type { IconRequest } from '../../../../../generated/types.ts'
import { isOneEmoji } from '../../../../kernel/emoji.ts'
import { hasScheme } from '../../../../kernel/urls.ts'
import type { Resolved } from './resolved.ts'

/** The name in `:name:`. */
export function emojiName(icon: string | undefined): string | undefined {
  return /^:(.+):$/.exec(icon ?? '')?.[1]
}

/** The icon of a tag; undefined if it has none that can be used. */
export function iconOf(
  word: string | undefined,
  resolved: Resolved,
): Extract<IconRequest, { emoji: unknown } | { custom_emoji: unknown } | { external: unknown }> | undefined {
  if (word === undefined) return undefined
  const emoji = resolved.emojis.get(emojiName(word) ?? '')
  if (emoji !== undefined) return { custom_emoji: { id: emoji } }
  if (isOneEmoji(word)) return { emoji: word }
  return hasScheme(word, ['http:', 'https:']) ? { external: { url: word } } : undefined
}
