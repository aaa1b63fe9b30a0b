/** The accepted findings, which a table of `spec/README.md` lists with reasons. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JudgeFinding } from './judge.ts'
import { projectRoot } from '../generate/files.ts'

const HEADING = '## External linters'

export interface Accepted {
  /** The name of a judge. */
  readonly judge: string
  readonly rule: string
}

/** The rows of the table: a judge, a rule in backticks, the reason. */
export async function readAccepted(): Promise<Accepted[]> {
  const text = await readFile(join(projectRoot, 'spec/README.md'), 'utf8')
  const [, section = ''] = text.split(`\n${HEADING}\n`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| ([^|]+) \| `([^`]+)` \| [^|]+ \|$/gm)].map(([, judge = '', rule = '']) => ({ judge, rule }))
}

export interface Verdict {
  readonly judge: string
  /** Findings that are not accepted. */
  readonly faults: readonly JudgeFinding[]
  /** How many findings are accepted, by rule. */
  readonly accepted: ReadonlyMap<string, number>
  /** Accepted rules that no longer have findings. */
  readonly idle: readonly string[]
}

export function verdictOf(judge: string, findings: readonly JudgeFinding[], table: readonly Accepted[]): Verdict {
  const rules = table.filter((row) => row.judge === judge).map(({ rule }) => rule)
  const count = (rule: string): number => findings.filter((finding) => finding.rule === rule).length
  return {
    judge,
    faults: findings.filter(({ rule }) => !rules.includes(rule)),
    accepted: new Map(rules.map((rule) => [rule, count(rule)])),
    idle: rules.filter((rule) => count(rule) === 0),
  }
}
