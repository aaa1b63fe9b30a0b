/**
 * Lints the contract: Redocly checks the sources and the workflows, the project's own Spectral rules check the bundle, and the formatter
 * checks the style of the YAML. Lines with `TODO:` are faults, in the code and its tests, too. The contracts by date, which are derived, are
 * checked by `npm run test:all`. The exit code is 1 if there are any findings.
 *
 *     node scripts/lint.ts [--root spec/openapi.yaml]
 */

import './compile_cache.ts'
import { join, resolve } from 'node:path'
import { parseCommandLine } from './parse_command_line.ts'

const projectRoot = resolve(import.meta.dirname, '..')

const { values } = parseCommandLine(import.meta.filename, {
  options: { root: { type: 'string', default: join(projectRoot, 'spec/openapi.yaml') } },
})
const started = performance.now()
const { lintContract } = await import('./lint/lint.ts')
const { report } = await import('./lint/report.ts')
const problems = await lintContract(resolve(values.root))
console.log(report(problems))
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`)
if (problems.length > 0) process.exitCode = 1
