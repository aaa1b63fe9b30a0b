import type { Color } from '../../../generated/types.ts'
import { parseColor, type TextMarks } from '@workspace-service/server/domain/content/index.ts'
import { classesOf, type HtmlElement } from './html_tree.ts'

const MARKS: Readonly<Record<string, TextMarks>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  dfn: { italic: true },
  var: { italic: true },
  s: { strikethrough: true },
  del: { strikethrough: true },
  strike: { strikethrough: true },
  u: { underline: true },
  ins: { underline: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  tt: { code: true },
  mark: { color: 'yellow_background' },
}

const OTHERS = [
  'a',
  'abbr',
  'acronym',
  'bdi',
  'bdo',
  'big',
  'data',
  'font',
  'label',
  'q',
  'ruby',
  'rp',
  'rt',
  'small',
  'span',
  'sub',
  'sup',
  'time',
  'wbr',
]
const INLINE: ReadonlySet<string> = new Set([...Object.keys(MARKS), ...OTHERS, 'br', 'img', 'input', 'x-math', 'picture'])

export function isInline(name: string): boolean {
  return INLINE.has(name)
}

/** The text styles that an element adds. */
export function marksOf(element: HtmlElement): TextMarks {
  const color = colorOf(element) ?? parseColor(element.attributes['color'] ?? '')
  const isUnderlined =
    (element.attributes['style'] ?? '').includes('border-bottom:') || element.attributes['underline'] === 'true'
  return { ...MARKS[element.name], ...(color && { color }), ...(isUnderlined && { underline: true }) }
}

/** The color of an exported block or text. */
export function colorOf(element: HtmlElement): Color | undefined {
  for (const name of classesOf(element)) {
    const word = /^(?:block-color|highlight)-([a-z_]+)$/.exec(name)?.[1]
    const color = word === undefined ? undefined : parseColor(word)
    if (color !== undefined && color !== 'default') return color
  }
  return undefined
}

/** Elements that a page does not show. */
const HIDDEN: ReadonlySet<string> = new Set([
  'head',
  'script',
  'style',
  'template',
  'noscript',
  'title',
  'input',
  'source',
  'colgroup',
])

export function isHidden(name: string): boolean {
  return HIDDEN.has(name)
}
