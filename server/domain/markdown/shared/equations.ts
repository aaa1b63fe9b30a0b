import { NextPlaces } from './next_places.ts'

/** Characters of one expression. */
export const EXPRESSION_LENGTH_MAX = 1_000

interface Equation {
  readonly expression: string
  /** The position behind it. */
  readonly end: number
}

/** The equations of one line of text, each between `$` or `$$`. Asked with growing positions, it scans the text once. */
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
    // Before it is cut out: a long text may hold very many fences that all lead to the same end.
    if (close === from || close - from > 2 * EXPRESSION_LENGTH_MAX) return undefined
    const expression = source.slice(from, close)
    if (expression.length > EXPRESSION_LENGTH_MAX && [...expression].length > EXPRESSION_LENGTH_MAX) return undefined
    return { expression, end: close + fence.length }
  }
}

/** The next fence that is not escaped and not behind a blank. */
function closingFence(source: string, fence: string, from: number): number {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source.startsWith(fence, at) && !/\s/.test(source[at - 1] ?? ' ')) return at
  }
  return -1
}

/** An expression on one line as an equation; undefined where it would end early, such as one with two dollar signs together. */
export function writtenEquation(expression: string): string | undefined {
  return ['$', '$$']
    .map((fence) => fence + expression + fence)
    .find((written) => new Equations(written).at(0)?.expression === expression)
}
