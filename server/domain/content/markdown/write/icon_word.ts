import type { Icon } from '../../../../../generated/types.ts'

/** An icon as an attribute of a tag, or undefined. */
export function iconWord(icon: Icon | null, baseUrl: string): string | undefined {
  if (icon === null) return undefined
  if (icon.type === 'emoji') return icon.emoji
  if (icon.type === 'custom_emoji') return `:${icon.custom_emoji.name}:`
  if (icon.type === 'icon') return `${baseUrl}/icons/${icon.icon.name}_${icon.icon.color}.svg`
  return icon.type === 'external' ? icon.external.url : icon.file.url
}
