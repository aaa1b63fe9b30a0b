/** The report of lint on a terminal. */

import type { Problem } from './problem.ts'

/** The findings by file, one line each, and a last line with the totals by rule. */
export function report(problems: readonly Problem[]): string {
  if (problems.length === 0) return 'Lint: no errors, no warnings.'
  const byFile = Map.groupBy(problems, ({ file }) => file)
  const blocks = [...byFile]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, found]) => `${file}\n${found.map(line).join('\n')}`)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const sums = [...Map.groupBy(problems, ({ rule }) => rule)].map(([rule, found]) => `${rule} ${found.length}`).toSorted()
  return `${blocks.join('\n')}\n\nLint: ${errors} errors, ${problems.length - errors} warnings (${sums.join(', ')})`
}

function line({ rule, severity, message, line: number, place }: Problem): string {
  const where = number === undefined ? place : `${number}`
  return `  ${severity === 'error' ? '✖' : '!'} ${rule.padEnd(24)} ${message.split('\n', 1)[0]}  (${where})`
}
