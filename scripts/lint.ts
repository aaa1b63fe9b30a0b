/**
 * Lints the contract: Redocly checks the sources and the stories, the project's own Spectral rules check the bundle, and the formatter
 * checks the style of the YAML. Lines with `TODO:` are faults, in the code and its tests, too. The contracts by date, which are derived, are
 * checked by `npm run test:all`. The exit code is 1 if there are any findings.
 *
 *     node scripts/lint.ts [--root spec/openapi.yaml]
 */

import { join, resolve } from 'node:path'
import { projectRoot } from './generate/files.ts'
import { lintContract } from './lint/lint.ts'
import { report } from './lint/report.ts'
import { parseCommandLine } from './parse_command_line.ts'

const { values } = parseCommandLine(import.meta.filename, {
  options: { root: { type: 'string', default: join(projectRoot, 'spec/openapi.yaml') } },
})
const started = performance.now()
const problems = await lintContract(resolve(values.root))
console.log(report(problems))
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`)
if (problems.length > 0) process.exitCode = 1
