import type { StateBlock } from 'markdown-it'
import type { EnclosingTag } from '../../block_types/markdown_rules.ts'
import { FENCE } from '../shared/fences.ts'
import { parseTag } from '../shared/tags.ts'
import { TAGS } from './line_rules.ts'
import { lineText } from './parse_state.ts'

/** The tags that enclose lines, by name. */
const ENCLOSING = new Map([...TAGS].flatMap(([name, syntax]) => (syntax.form === 'enclosing' ? [[name, syntax] as const] : [])))
/** Closing tags that are allowed at the end of the last line, such as `</table>` after a table's last row. */
const CLOSINGS = [...ENCLOSING].flatMap(([name, { trailing }]) =>
  trailing === 'anything' ? [[name, `</${name}>`] as const] : [],
)

/** White space and list markers at the start of a line. */
const MARKERS = /^(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?){0,20}/
/** The first characters of lines that may open or close a span. */
const OPENERS: ReadonlySet<string> = new Set('`~$<:-*+0123456789')

const COLONS_OPEN = /^:::[ \t]*([a-z]+)(?:[ \t{]|$)/
const COLONS_CLOSE = /^:::[ \t]*$/

/** Constructs that span several lines of a text. */
interface Spans {
  /** The last line of fences, equations and block tags, by their first line; -1 for a fence that is never closed. */
  readonly ends: ReadonlyMap<number, number>
  /** Whether nothing is left open at the end, so that any following text is parsed independently. */
  readonly isClosed: boolean
}

/** Finds all spans in one pass over the lines. A tag that is never closed is plain text. */
export function parseSpans(state: StateBlock): Spans {
  const spans = new Map<number, number>()
  let isClosed = true
  const nextEquation = equationEnds(state)
  const open = new OpenTags(spans)
  for (let line = 0; line < state.lineMax; line += 1) {
    const text = openingText(state, line)
    if (text === undefined) continue
    const [, backticks, , fence = backticks] = FENCE.exec(text) ?? []
    const equation = text === '$$' ? nextEquation[line + 1] : undefined
    if (fence !== undefined) {
      const end = fenceEnd(state, line + 1, fence)
      spans.set(line, end)
      if (end === -1) return { ends: spans, isClosed: false }
      line = end
    } else if (equation !== undefined && equation !== -1) {
      spans.set(line, equation)
      line = equation
    } else if (text === '$$') {
      isClosed = false
    } else if (text.startsWith('<')) {
      open.read(text, line)
    } else if (COLONS_CLOSE.test(text)) {
      open.close(':::', line)
    } else if (ENCLOSING.get(COLONS_OPEN.exec(text)?.[1] ?? '')?.hasColons) {
      open.push(':::', line)
    }
  }
  return { ends: spans, isClosed: isClosed && open.isEmpty }
}

function openingText(state: StateBlock, line: number): string | undefined {
  const first = state.src[(state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)]
  if (first === undefined || !OPENERS.has(first)) return undefined
  return lineText(state, line).replace(MARKERS, '')
}

function fenceEnd(state: StateBlock, from: number, fence: string): number {
  for (let line = from; line < state.lineMax; line += 1) {
    if (state.src[(state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)] !== fence[0]) continue
    const text = lineText(state, line)
    if (text.length >= fence.length && /^(?:`+|~+)$/.test(text)) return line
  }
  return -1
}

/** For each line, the next line from there on that closes an equation. */
function equationEnds(state: StateBlock): Int32Array {
  const ends = new Int32Array(state.lineMax + 1).fill(-1)
  for (let line = state.lineMax - 1; line >= 0; line -= 1) {
    const isEnd =
      state.src.startsWith('$$', (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)) && lineText(state, line) === '$$'
    ends[line] = isEnd ? line : (ends[line + 1] ?? -1)
  }
  return ends
}

class OpenTags {
  readonly #stack: { readonly name: string; readonly line: number }[] = []
  readonly #counts = new Map<string, number>()
  readonly #spans: Map<number, number>

  constructor(spans: Map<number, number>) {
    this.#spans = spans
  }

  get isEmpty(): boolean {
    return this.#stack.length === 0
  }

  read(text: string, line: number): void {
    const tag = parseTag(text.slice(0, text.indexOf('>') + 1))
    const syntax = tag && ENCLOSING.get(tag.name)
    if (syntax && tag.form === 'open' && mayFollow(syntax, text)) this.push(tag.name, line)
    if (syntax && tag.form === 'close' && text.endsWith('>')) this.close(tag.name, line)
    else for (const [name, closing] of CLOSINGS) if (text.endsWith(closing)) this.close(name, line)
  }

  push(name: string, line: number): void {
    this.#stack.push({ name, line })
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** Closes the innermost open tag of that name. Those inside it that are still open never close. */
  close(name: string, line: number): void {
    if ((this.#counts.get(name) ?? 0) === 0) return
    for (let top = this.#stack.pop(); top; top = this.#stack.pop()) {
      this.#counts.set(top.name, (this.#counts.get(top.name) ?? 1) - 1)
      if (top.name !== name) continue
      this.#spans.set(top.line, line)
      return
    }
  }
}

function mayFollow({ trailing }: EnclosingTag, text: string): boolean {
  const rest = text.slice(text.indexOf('>') + 1)
  return rest === '' || trailing === 'anything' || (trailing === '<summary>' && rest.startsWith('<summary>'))
}
