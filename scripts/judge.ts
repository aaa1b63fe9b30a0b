/**
 * Checks the published contract with external tools. Findings are errors unless `spec/README.md` accepts them with a reason. Tools that
 * cannot run on this machine are reported.
 *
 *     node scripts/judge.ts [--only <name>] [--bundle generated/openapi.yaml]
 */

import { join, resolve } from 'node:path'
import { readAccepted, verdictOf, type Verdict } from './judge/accepted.ts'
import type { Judge } from './judge/judge.ts'
import { ToolMissing } from './judge/tool_missing.ts'
import { openapiSpecValidator } from './judge/openapi_spec_validator.ts'
import { redocly } from './judge/redocly.ts'
import { projectRoot } from './generate/files.ts'
import { spectral } from './judge/spectral.ts'
import { vacuum } from './judge/vacuum.ts'
import { parseCommandLine } from './parse_command_line.ts'

const judges: readonly Judge[] = [redocly, spectral, vacuum, openapiSpecValidator]
const SHOWN_MAX = 5

const { values } = parseCommandLine(import.meta.filename, {
  options: { only: { type: 'string' }, bundle: { type: 'string', default: join(projectRoot, 'generated/openapi.yaml') } },
})
const table = await readAccepted()
for (const judge of judges.filter(({ name }) => values.only === undefined || name === values.only)) await runJudge(judge)

async function runJudge(judge: Judge): Promise<void> {
  const started = performance.now()
  try {
    const verdict = verdictOf(judge.name, await judge.find(resolve(values.bundle)), table)
    console.log(`${judge.name}: ${report(verdict)} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
    if (verdict.faults.length > 0 || verdict.idle.length > 0) process.exitCode = 1
  } catch (error) {
    if (!(error instanceof ToolMissing)) throw error
    console.log(`${judge.name}: not run. ${error.message}`)
  }
}

function report({ faults, accepted, idle }: Verdict): string {
  const kept = [...accepted].map(([rule, count]) => `${rule} ${count}`).join(', ')
  return [
    `${faults.length} errors${kept === '' ? '' : `; kept for the reasons in spec/README.md: ${kept}`}`,
    ...[...Map.groupBy(faults, ({ rule }) => rule)].flatMap(([rule, found]) => [
      ...found.slice(0, SHOWN_MAX).map(({ message, location }) => `  ✖ ${rule}  ${message}  ${location}`),
      ...(found.length > SHOWN_MAX ? [`  ✖ ${rule}  … and ${found.length - SHOWN_MAX} more`] : []),
    ]),
    ...idle.map((rule) => `  ✖ ${rule} is accepted in spec/README.md, but no longer found`),
  ].join('\n')
}
