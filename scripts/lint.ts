/**
 * Lints the contract: Redocly on the sources and the contracts by date, our own rules (Spectral) on the bundle. Exit code 1 when anything is found.
 *
 *     node scripts/lint.ts [--root spec/openapi.yaml] [--bundle generated/openapi.yaml]
 */

import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { lintBundle, lintDatedContracts, lintSources, projectRoot } from './lint/problems.ts'
import { report } from './lint/report.ts'

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: join(projectRoot, 'spec/openapi.yaml') },
    bundle: { type: 'string', default: join(projectRoot, 'generated/openapi.yaml') },
  },
})

const started = performance.now()
const found = await Promise.all([
  lintSources(resolve(values.root)),
  lintBundle(resolve(values.bundle), dirname(resolve(values.root))),
  lintDatedContracts(join(dirname(resolve(values.bundle)), 'versions')),
])
const problems = found.flat()
console.log(report(problems))
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`)
if (problems.length > 0) process.exitCode = 1
