import katex from 'katex'
import { Html } from '../oauth/html.ts'

/** KaTeX needs about 3 ms for 1,000 characters. */
const EXPRESSION_LENGTH_SUM_MAX = 30_000
/** Macros that an equation defines can make a short text long. */
const EXPANSIONS_MAX = 100

/** Renders the equations of one page. The output is MathML, which needs neither fonts nor styles. */
export class MathRenderer {
  #lengthLeft = EXPRESSION_LENGTH_SUM_MAX

  /** @returns undefined for an invalid equation, and when the page has had too many */
  render(expression: string, isBlock: boolean): Html | undefined {
    this.#lengthLeft -= expression.length
    if (this.#lengthLeft < 0) return undefined
    try {
      // KaTeX escapes the expression; without `trust`, no command makes links, images or attributes.
      return new Html(
        katex.renderToString(expression, {
          displayMode: isBlock,
          output: 'mathml',
          trust: false,
          strict: 'ignore',
          maxExpand: EXPANSIONS_MAX,
          maxSize: 20,
        }),
      )
    } catch (error) {
      if (error instanceof katex.ParseError) return undefined
      throw error
    }
  }
}
