import { CodeSpans } from './code_runs.ts'
import { NextPlaces } from './next_places.ts'

/** The maximum number of characters of an expression. */
export const EXPRESSION_LENGTH_MAX = 1_000

interface Equation {
  readonly expression: string
  /** The position after the equation. */
  readonly end: number
}

/**
 * The equations of one line of text, each between `$` or `$$`. A `$` opens an equation if a non-blank follows. The next `$` must close it:
 * after a non-blank, and not before a digit, so that prices remain text. Code spans take precedence. Lookups at increasing positions scan
 * the text once in total.
 */
export class Equations {
  readonly #source: string
  readonly #code: CodeSpans
  readonly #doubled = new NextPlaces()

  constructor(source: string) {
    this.#source = source
    this.#code = new CodeSpans(source, true)
  }

  /** The equation that begins with the `$` at a position. */
  at(start: number): Equation | undefined {
    const source = this.#source
    const fence = source[start + 1] === '$' ? '$$' : '$'
    const from = start + fence.length
    if (/\s/.test(source[from] ?? ' ')) return undefined
    const close = fence === '$' ? this.#closing(from) : this.#doubled.next(fence, from, () => this.#closingDoubled(from))
    // Checked before slicing, since a long text may have very many opening fences with the same closing fence.
    if (close <= from || close - from > 2 * EXPRESSION_LENGTH_MAX) return undefined
    const expression = source.slice(from, close)
    if (expression.length > EXPRESSION_LENGTH_MAX && [...expression].length > EXPRESSION_LENGTH_MAX) return undefined
    return { expression, end: close + fence.length }
  }

  /**
   * The next `$`, if it can close an equation; otherwise -1. Of two adjacent ones, the first closes only if the second can open another
   * equation.
   */
  #closing(from: number): number {
    const source = this.#source
    const at = this.#nextDollar(from, from + 2 * EXPRESSION_LENGTH_MAX + 1)
    const after = source[at + 1] ?? ' '
    const isHalf = after === '$' && /\s/.test(source[at + 2] ?? ' ')
    return /\s/.test(source[at - 1] ?? ' ') || /\d/.test(after) || isHalf ? -1 : at
  }

  #closingDoubled(from: number): number {
    for (let at = this.#nextDollar(from); at !== -1; at = this.#nextDollar(at + 1))
      if (this.#source[at + 1] === '$' && !/\s/.test(this.#source[at - 1] ?? ' ')) return at
    return -1
  }

  /** The next `$` that is neither escaped nor in a code span. */
  #nextDollar(from: number, end = this.#source.length): number {
    for (let at = from; at < end; at += 1) {
      const character = this.#source[at]
      if (character === '$') return at
      if (character === '\\') at += 1
      else if (character === '`') at = (this.#code.end(at) ?? this.#code.runEnd(at)) - 1
    }
    return -1
  }
}

/** Writes an expression as an inline equation; undefined if the equation would end early, for example at two adjacent dollar signs. */
export function writtenEquation(expression: string): string | undefined {
  return ['$', '$$']
    .map((fence) => fence + expression + fence)
    .find((written) => new Equations(written).at(0)?.expression === expression)
}

/**
 * The lengths of runs of backticks in a written equation that would begin a code span if a run of the same length followed the equation.
 */
export function openRuns(written: string): number[] {
  const end = new Equations(written).at(0)?.end
  return runLengths(written).filter((length) => new Equations(`${written} ${'`'.repeat(length)}`).at(0)?.end !== end)
}

export function runLengths(text: string): number[] {
  return [...new Set((text.match(/`+/g) ?? []).map((run) => run.length))]
}
