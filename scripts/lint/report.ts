/** The report of lint on a terminal. */

import { EXAMPLES_RULE, type Problem } from './problem.ts'

/** The findings, one line each, causes first, and a last line with the totals by rule. */
export function report(problems: readonly Problem[]): string {
  if (problems.length === 0) return 'Lint: no errors, no warnings.'
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const sums = [...Map.groupBy(problems, ({ rule }) => rule)].map(([rule, found]) => `${rule} ${found.length}`).toSorted()
  const lines = problems.toSorted(byCause).map(line)
  return `${lines.join('\n')}\n\nLint: ${errors} errors, ${problems.length - errors} warnings (${sums.join(', ')})`
}

/** Structural problems come first, since other findings may follow from them; examples come last, because they depend on schemas. */
function rank({ tool, rule, severity }: Problem): number {
  if (severity === 'warning') return 4
  if (tool === 'unfinished' || tool === 'format') return 3
  if (tool === 'example' || tool === 'workflow' || tool === 'prose' || rule === EXAMPLES_RULE) return 2
  return tool === 'spectral' ? 1 : 0
}

function byCause(a: Problem, b: Problem): number {
  const [first, second] = [a, b].map((problem) => [rank(problem), problem.file, problem.line ?? 0, problem.column ?? 0])
  const differing = first?.findIndex((value, index) => value !== second?.[index]) ?? -1
  return differing === -1 ? 0 : (first?.[differing] ?? 0) < (second?.[differing] ?? 0) ? -1 : 1
}

function line({ rule, severity, message, file, line: number, column, location }: Problem): string {
  const where = number === undefined ? file : `${file}:${number}:${column ?? 1}`
  const beside = number === undefined && location !== '' ? ` at ${location}` : ''
  return `${where}  ${severity === 'error' ? '✖' : '!'} ${rule}  ${message.split('\n', 1)[0]}${beside}`
}
