import type { Color } from '../../../../../generated/types.ts'

const HUES = ['default', 'gray', 'brown', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink', 'red'] as const
type Hue = (typeof HUES)[number]

/** Colors by their names, and by the dialect's names for backgrounds. */
const COLORS = new Map<string, Color>()
for (const hue of HUES) {
  for (const word of [`${hue}_background`, `${hue}_bg`]) COLORS.set(word, `${hue}_background`)
  COLORS.set(hue, hue)
}

/** @returns undefined for the default color, which is not written */
export function colorWord(color: Hue | `${Hue}_background` | undefined): string | undefined {
  return color === 'default' ? undefined : color?.replace('_background', '_bg')
}

/** The color for a word; undefined if the word is not a color. */
export function parseColor(word: string): Color | undefined {
  return COLORS.get(word)
}
