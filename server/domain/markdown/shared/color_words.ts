import type { Color } from '../../../../generated/types.ts'

/** Colours as the dialect spells them; `default` is never written. */
const COLOR_WORDS: Readonly<Record<Exclude<Color, 'default'>, string>> = {
  gray: 'gray',
  brown: 'brown',
  orange: 'orange',
  yellow: 'yellow',
  green: 'green',
  blue: 'blue',
  purple: 'purple',
  pink: 'pink',
  red: 'red',
  default_background: 'default_bg',
  gray_background: 'gray_bg',
  brown_background: 'brown_bg',
  orange_background: 'orange_bg',
  yellow_background: 'yellow_bg',
  green_background: 'green_bg',
  blue_background: 'blue_bg',
  purple_background: 'purple_bg',
  pink_background: 'pink_bg',
  red_background: 'red_bg',
}

const COLORS = new Map<string, Color>([['default', 'default']])
for (const [color, word] of Object.entries(COLOR_WORDS) as [Color, string][]) COLORS.set(color, color).set(word, color)

/** @returns undefined for the default colour, which is not written */
export function colorWord(color: Color | undefined): string | undefined {
  return color === undefined || color === 'default' ? undefined : COLOR_WORDS[color]
}

/** The colour that a word means; undefined when it means none. */
export function parseColor(word: string): Color | undefined {
  return COLORS.get(word)
}
