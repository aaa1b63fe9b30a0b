import {
  EXPRESSION_LENGTH_MAX,
  writtenEquation,
  markdownBlock,
  type MarkdownBlock,
} from '@workspace-service/server/domain/content/index.ts'
import type { Flow, TextStyle } from './flow.ts'
import type { PageConversion } from './page_conversion.ts'

const REASON = `An equation has at most ${EXPRESSION_LENGTH_MAX} characters, and no dollar sign that would end it. It was imported as code.`

/** An equation, or a block of code if the service does not support the equation; undefined if it is empty. */
export function equationOf(written: string, conversion: PageConversion): MarkdownBlock[] {
  const expression = written.trim()
  if (expression === '') return []
  if ([...expression].length <= EXPRESSION_LENGTH_MAX && !expression.includes('$$'))
    return [markdownBlock('equation', { fields: { expression } })]
  reportLostEquation(expression, conversion)
  return [markdownBlock('code', { fields: { language: 'latex', code: expression } })]
}

/** Adds an equation within a text, or code if the service does not support the equation. */
export function addEquation(written: string, flow: Flow, conversion: PageConversion, style: TextStyle): void {
  const expression = written.replace(/\s+/g, ' ').trim()
  if (writtenEquation(expression) !== undefined) return flow.object({ type: 'equation', expression }, style)
  if (expression === '') return
  reportLostEquation(expression, conversion)
  flow.text(expression, { ...style, marks: { ...style.marks, code: true } })
}

function reportLostEquation(expression: string, { reportLoss }: PageConversion): void {
  reportLoss(`equation "${expression.slice(0, 80)}"`, REASON)
}
