import type { Attributes } from '../shared/tags.ts'
import { parseColor } from '../shared/color_words.ts'
import type { TextMarks } from '../shared/markdown_block.ts'

export type DelimitedMark = 'strikethrough' | 'bold' | 'italic'

/** One delimiter of a run. It opens or closes a mark, or turns out to be text. */
interface Delimiter {
  readonly mark: DelimitedMark
  readonly kind: 'open' | 'close' | 'text'
  readonly width: number
  /** Whether both ends were found. A mark that is opened but never closed is plain text. */
  paired: boolean
}

/** A run of `*`, `_` or `~` as it appears in a text. */
export interface DelimiterRun {
  readonly character: string
  readonly length: number
  readonly canOpen: boolean
  readonly canClose: boolean
  delimiters: readonly Delimiter[]
}

export type OpenMarks = Partial<Record<DelimitedMark, Delimiter>>

/**
 * Resolves the next run of a text, or of the text of a link, to marks.
 * @param opened the marks that are still open, by character
 */
export function matchRun(run: DelimiterRun, opened: Map<string, OpenMarks>): void {
  const open = opened.get(run.character) ?? {}
  opened.set(run.character, open)
  run.delimiters = run.character === '~' ? strikeDelimiters(run, open) : emphasisDelimiters(run, open)
}

function strikeDelimiters(run: DelimiterRun, open: OpenMarks): Delimiter[] {
  if (run.length !== 2) return [text(run.length)]
  if (open.strikethrough && run.canClose) return [close('strikethrough', 2, open)]
  return run.canOpen && !open.strikethrough ? [opener('strikethrough', 2, open)] : [text(2)]
}

/** Splits a run of `*` or `_`: one character is italic, two are bold. A run may end one mark and begin another. */
function emphasisDelimiters(run: DelimiterRun, open: OpenMarks): Delimiter[] {
  const delimiters: Delimiter[] = []
  let rest = run.length
  if (run.canClose) {
    const [bold, italic] = [open.bold !== undefined, open.italic !== undefined]
    if (italic && (rest === 1 || rest >= 3 || (rest === 2 && !bold && !run.canOpen))) {
      delimiters.push(close('italic', 1, open))
      rest -= 1
    }
    if (bold && rest >= 2) {
      delimiters.push(close('bold', 2, open))
      rest -= 2
    }
  }
  if (run.canOpen && rest > 0 && rest <= 3) {
    if (rest >= 2 && !open.bold) {
      delimiters.push(opener('bold', 2, open))
      rest -= 2
    }
    if (rest === 1 && !open.italic) {
      delimiters.push(opener('italic', 1, open))
      rest -= 1
    }
  }
  if (rest > 0) delimiters.push(text(rest))
  return delimiters
}

function text(width: number): Delimiter {
  return { mark: 'bold', kind: 'text', width, paired: false }
}

function opener(mark: DelimitedMark, width: number, open: OpenMarks): Delimiter {
  const delimiter: Delimiter = { mark, kind: 'open', width, paired: false }
  open[mark] = delimiter
  return delimiter
}

function close(mark: DelimitedMark, width: number, open: OpenMarks): Delimiter {
  const start = open[mark]
  if (start) start.paired = true
  delete open[mark]
  return { mark, kind: 'close', width, paired: start !== undefined }
}

const WORD_BEFORE = /[\p{L}\p{N}]$/u
const WORD_AFTER = /^[\p{L}\p{N}]/u

/** Describes a run of delimiters. A mark cannot begin before or end after white space; `_` does not work inside words. */
export function runAt(source: string, start: number, end: number): DelimiterRun {
  const character = source[start] ?? ''
  const [before, after] = [source.slice(Math.max(0, start - 2), start), source.slice(end, end + 2)]
  const [touchesBefore, touchesAfter] = [/\S$/.test(before), /^\S/.test(after)]
  const isWord = character === '_'
  return {
    character,
    length: end - start,
    delimiters: [],
    canOpen: touchesAfter && !(isWord && WORD_BEFORE.test(before)),
    canClose: touchesBefore && !(isWord && WORD_AFTER.test(after)),
  }
}

/** The marks of a span; undefined if it has an unknown attribute, in which case the span is plain text. */
export function spanMarks(attributes: Attributes): TextMarks | undefined {
  if (attributes.size === 0) return undefined
  const outcomes: { underline?: boolean; color?: NonNullable<TextMarks['color']> } = {}
  for (const [name, value] of attributes) {
    const color = name === 'color' ? parseColor(value) : undefined
    if (name === 'underline' && (value === 'true' || value === 'false')) outcomes.underline = value === 'true'
    else if (color !== undefined) outcomes.color = color
    else return undefined
  }
  return outcomes
}
