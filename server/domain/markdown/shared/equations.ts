import { NextPlaces } from './next_places.ts'

/** Characters of one expression. */
export const EXPRESSION_LENGTH_MAX = 1_000

interface Equation {
  readonly expression: string
  /** The position after the equation. */
  readonly end: number
}

/** The equations of one line of text, each between `$` or `$$`. Lookups at increasing positions scan the text once in total. */
export class Equations {
  readonly #source: string
  readonly #fences = new NextPlaces()

  constructor(source: string) {
    this.#source = source
  }

  /** The equation that begins with the `$` at a position. */
  at(start: number): Equation | undefined {
    const source = this.#source
    const fence = source[start + 1] === '$' ? '$$' : '$'
    const from = start + fence.length
    if (/\s/.test(source[from] ?? ' ')) return undefined
    const close = this.#fences.next(fence, from, () => closingFence(source, fence, from))
    // Checked before slicing, since a long text may have very many opening fences with the same closing fence.
    if (close === from || close - from > 2 * EXPRESSION_LENGTH_MAX) return undefined
    const expression = source.slice(from, close)
    if (expression.length > EXPRESSION_LENGTH_MAX && [...expression].length > EXPRESSION_LENGTH_MAX) return undefined
    return { expression, end: close + fence.length }
  }
}

/** The next fence that is neither escaped nor preceded by a blank. */
function closingFence(source: string, fence: string, from: number): number {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source.startsWith(fence, at) && !/\s/.test(source[at - 1] ?? ' ')) return at
  }
  return -1
}

/** Writes an expression as an inline equation; undefined if it would end early, as with two adjacent dollar signs. */
export function writtenEquation(expression: string): string | undefined {
  return ['$', '$$']
    .map((fence) => fence + expression + fence)
    .find((written) => new Equations(written).at(0)?.expression === expression)
}
