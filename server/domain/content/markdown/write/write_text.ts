import { withEncodedBlanks } from '../shared/addresses.ts'
import { escapeAttribute, writeAttributes } from '../shared/tags.ts'
import { writeDateAttributes } from '../shared/date_attributes.ts'
import { openRuns, runLengths, writtenEquation } from '../shared/equations.ts'
import { escapeEdges, escapeText } from '../shared/escapes.ts'
import { colorWord } from '../shared/color_words.ts'
import { joinTexts, MENTION_TAGS, sameMarks, type Inline, type InlineObject, type MentionKind } from '../shared/markdown_block.ts'

/** A piece of text, written out except for its marks. */
interface Piece {
  readonly written: string
  readonly link: string | undefined
  readonly span: string
  /** Strikethrough, bold, italic: from the outside in. */
  strike: boolean
  bold: boolean
  italic: boolean
  /** Whether the piece is only white space. Marks cannot begin or end with white space. */
  readonly isSpace: boolean
  readonly isEmoji?: boolean
  readonly isEquation?: boolean
}

/**
 * Writes inline text as Markdown. Marks are nested in a fixed order, from the outside in: link, span, `~~`, `**`, `*`, code. White
 * space at their edges is moved outside.
 */
function writeInline(inlines: readonly Inline[]): string {
  if (inlines.length === 0) return ''
  const [only] = inlines
  if (inlines.length === 1 && only?.type === 'text' && only.link === undefined && sameMarks(only.outcomes, {}))
    return escapeText(only.text)
  const pieces: Piece[] = []
  const ticks = { ofEquations: new Set(inlines.flatMap(ticksOf)), open: new Set<number>() }
  for (const inline of joinTexts(inlines)) addPieces(inline, pieces, ticks)
  pushSpaceOutside(pieces)
  return emit(pieces)
}

/** Like `writeInline`, with blanks at the edges escaped where a parser would drop them. */
export function writeText(inlines: readonly Inline[]): string {
  return escapeEdges(writeInline(inlines))
}

/** Lengths of runs of backticks that could form a code span together with those of an equation. */
interface Ticks {
  readonly ofEquations: ReadonlySet<number>
  /** The lengths of runs in earlier equations that nothing has closed yet. */
  readonly open: Set<number>
}

const ticksOf = (inline: Inline): number[] => (inline.type === 'equation' ? runLengths(inline.expression) : [])

function addPieces(inline: Inline, pieces: Piece[], ticks: Ticks): void {
  const { outcomes: marks } = inline
  const base = {
    link: inline.type === 'text' ? inline.link : undefined,
    span: writeAttributes({ underline: marks.underline ? 'true' : undefined, color: colorWord(marks.color) }),
    strike: Boolean(marks.strikethrough),
    bold: Boolean(marks.bold),
    italic: Boolean(marks.italic),
  }
  if (inline.type !== 'text') {
    pieces.push({
      ...base,
      written: writeObject(inline, ticks),
      isSpace: false,
      isEmoji: inline.type === 'emoji',
      isEquation: inline.type === 'equation',
    })
    return
  }
  if (marks.code) {
    // A tag inside code would be literal text, so code is split at line breaks.
    for (const [index, part] of inline.text.split(/\r\n?|\n/).entries()) {
      if (index > 0) pieces.push({ ...base, written: '<br>', isSpace: true })
      if (part !== '') pieces.push({ ...base, written: writeCode(part, ticks.ofEquations), isSpace: false })
    }
    return
  }
  const core = inline.text.trim()
  const coreStart = core === '' ? inline.text.length : inline.text.length - inline.text.trimStart().length
  const [before, after] = [inline.text.slice(0, coreStart), inline.text.slice(coreStart + core.length)]
  if (base.link === undefined && !(base.strike || base.bold || base.italic)) {
    pieces.push({ ...base, written: escapeText(inline.text), isSpace: core === '' })
    return
  }
  for (const [text, isSpace] of [
    [before, true],
    [core, false],
    [after, true],
  ] as const) {
    if (text !== '') pieces.push({ ...base, written: base.link === undefined ? escapeText(text) : escapeLabel(text), isSpace })
  }
}

/** Escapes the text of a link, in which addresses are not links of their own. */
function escapeLabel(text: string): string {
  return escapeText(text).replaceAll('https\\://', 'https://')
}

function writeCode(text: string, avoided: ReadonlySet<number>): string {
  const runs = new Set([...runLengths(text), ...avoided])
  let length = 1
  while (runs.has(length)) length += 1
  const fence = '`'.repeat(length)
  const needsRoom =
    text.startsWith('`') || text.endsWith('`') || (text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '')
  return needsRoom ? `${fence} ${text} ${fence}` : fence + text + fence
}

function writeObject(inline: InlineObject, ticks: Ticks): string {
  if (inline.type === 'equation') return writeEquation(inline.expression, ticks)
  if (inline.type === 'emoji') return `:${inline.name}:`
  if (inline.type === 'date') return `<mention-date${writeAttributes(writeDateAttributes(inline.date))}/>`
  return writeMention(inline.kind, inline.url ?? inline.id, inline.label)
}

/** Writes an equation, or code if the expression cannot be written as an equation. */
function writeEquation(stored: string, ticks: Ticks): string {
  const expression = stored.replace(/\r\n?|\n/g, ' ').trim()
  const written = writtenEquation(expression)
  if (written === undefined || runLengths(expression).some((length) => ticks.open.has(length)))
    return writeCode(expression === '' ? ' ' : expression, ticks.ofEquations)
  for (const length of openRuns(written)) ticks.open.add(length)
  return written
}

function writeMention(kind: MentionKind, address: string, label: string): string {
  const name = MENTION_TAGS[kind]
  return `<${name} url="${escapeAttribute(address)}">${escapeLabel(label.replace(/\s+/g, ' ').trim())}</${name}>`
}

type DeliveryOutcome = 'strike' | 'bold' | 'italic'
const MARKS: readonly DeliveryOutcome[] = ['strike', 'bold', 'italic']

/** Removes marks from white space at the edges of marked text. A mark also ends where an enclosing link, span or mark ends. */
function pushSpaceOutside(pieces: readonly Piece[]): void {
  for (const [depth, mark] of MARKS.entries()) {
    const outer = MARKS.slice(0, depth)
    const isBorder = (one: Piece | undefined, other: Piece | undefined): boolean =>
      one === undefined ||
      other === undefined ||
      one.link !== other.link ||
      one.span !== other.span ||
      !one[mark] ||
      !other[mark] ||
      outer.some((name) => one[name] !== other[name])
    const clearFrom = (from: number, step: 1 | -1): void => {
      for (let index = from; ; index += step) {
        const piece = pieces[index]
        if (!piece?.isSpace || !piece[mark] || !isBorder(piece, pieces[index - step])) return
        piece[mark] = false
      }
    }
    for (let index = 0; index < pieces.length; index += 1) if (isBorder(pieces[index], pieces[index - 1])) clearFrom(index, 1)
    for (let index = pieces.length - 1; index >= 0; index -= 1)
      if (isBorder(pieces[index], pieces[index + 1])) clearFrom(index, -1)
  }
}

const DELIMITERS: Readonly<Record<DeliveryOutcome, string>> = { strike: '~~', bold: '**', italic: '*' }

/** Matches text that would form an emoji together with the colon of a following emoji. */
const HALF_EMOJI = /(?<!\\):(?=[\p{L}\p{M}\p{N}_+-]{1,100}$)/u

/** Writes the pieces with the fewest delimiters: marks shared by adjacent pieces stay open between them. */
function emit(pieces: readonly Piece[]): string {
  const parts: string[] = []
  let last: Piece | undefined
  for (const piece of pieces) {
    const level = last === undefined ? 0 : firstDifference(last, piece)
    const between = (last ? closing(last, level) : '') + opening(piece, level)
    if (between === '' || between.startsWith('[')) protectEnd(parts, piece, last)
    if (between !== '') parts.push(between)
    parts.push(piece.written)
    last = piece
  }
  return last ? parts.join('') + closing(last, 0) : ''
}

/**
 * Escapes the end of a text that would otherwise become part of the following link or emoji. An equation before a digit gets double dollar
 * signs, since it would not be parsed otherwise.
 */
function protectEnd(parts: string[], piece: Piece, before: Piece | undefined): void {
  const end = parts.at(-1)
  if (end === undefined) return
  if (before?.isEquation && /^\d/.test(piece.written) && /^\$(?!\$)/.test(end)) parts[parts.length - 1] = `$${end}$`
  if (piece.link !== undefined && piece.link !== before?.link && end.endsWith('!'))
    parts[parts.length - 1] = `${end.slice(0, -1)}\\!`
  else if (piece.isEmoji && !before?.isEmoji) parts[parts.length - 1] = end.replace(HALF_EMOJI, '\\:')
}

/** The outermost level at which two pieces differ: 0 link, 1 span, 2 to 4 marks, 5 none. */
function firstDifference(one: Piece, other: Piece): number {
  if (one.link !== other.link) return 0
  if (one.span !== other.span) return 1
  const index = MARKS.findIndex((mark) => one[mark] !== other[mark])
  return index === -1 ? 5 : index + 2
}

function opening(piece: Piece, level: number): string {
  let out = level === 0 && piece.link !== undefined ? '[' : ''
  if (level <= 1 && piece.span !== '') out += `<span${piece.span}>`
  for (const [index, mark] of MARKS.entries()) if (level <= index + 2 && piece[mark]) out += DELIMITERS[mark]
  return out
}

function closing(piece: Piece, level: number): string {
  let out = ''
  for (let index = MARKS.length - 1; index >= 0; index -= 1) {
    const mark = MARKS[index]
    if (mark && level <= index + 2 && piece[mark]) out += DELIMITERS[mark]
  }
  if (level <= 1 && piece.span !== '') out += '</span>'
  return level === 0 && piece.link !== undefined ? `${out}](${escapeAddress(piece.link)})` : out
}

/** Escapes an address for the parentheses of a link or image. Balanced parentheses may stay unescaped. */
export function escapeAddress(url: string): string {
  if (!/[\\()<>[\]`\s\p{Cc}]/u.test(url)) return url
  return withEncodedBlanks(url.replace(hasPairs(url) ? /[\\<>[\]`]/g : /[\\()<>[\]`]/g, '\\$&'))
}

function hasPairs(url: string): boolean {
  let depth = 0
  for (const character of url) {
    if (character === '(') depth += 1
    else if (character === ')' && (depth -= 1) < 0) return false
  }
  return depth === 0
}
