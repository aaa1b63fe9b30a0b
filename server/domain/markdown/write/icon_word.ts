import type { Icon } from '../../../../generated/types.ts'

/** An icon as an attribute of a tag; undefined where there is none. */
export function iconWord(icon: Icon | null, baseUrl: string): string | undefined {
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
