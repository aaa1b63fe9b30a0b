import katex from 'katex'
import { Html } from '../oauth/html.ts'

/** The maximum length of all equations of a page together. KaTeX takes about 3 ms for 1,000 characters. */
const EXPRESSION_LENGTH_SUM_MAX = 30_000
/** The maximum number of expansions of macros: an equation may define macros that make a short text long. */
const EXPANSIONS_MAX = 100

/** Renders the equations of one page. The output is MathML, which needs neither fonts nor style sheets. */
export class MathRenderer {
  #lengthLeft = EXPRESSION_LENGTH_SUM_MAX

  /** @returns undefined if the equation is invalid, or exceeds the limit of the page */
  render(expression: string, isBlock: boolean): Html | undefined {
    this.#lengthLeft -= expression.length
    if (this.#lengthLeft < 0) return undefined
    try {
      // KaTeX escapes the expression. Without `trust`, no command can create links, images or attributes.
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
