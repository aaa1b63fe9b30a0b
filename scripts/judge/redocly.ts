import { join } from 'node:path'
import type { JudgeFinding, Judge } from './judge.ts'
import { runProgram } from './run.ts'
import { projectRoot } from '../generate/files.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** Redocly's strictest rules with default options. */
export const redocly: Judge = {
  name: 'Redocly',
  async find(bundle) {
    const output = await runProgram(
      process.execPath,
      [
        join(projectRoot, 'node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        bundle,
        `--config=${join(import.meta.dirname, 'redocly.yaml')}`,
        '--format=json',
        '--max-problems=100000',
      ],
      { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    )
    const report: unknown = JSON.parse(output?.stdout ?? '')
    if (!isObject(report) || !Array.isArray(report['problems'])) throw new Error(`Redocly failed: ${output?.stderr}`)
    return report['problems'].filter(isObject).map(findingOf)
  },
}

function findingOf(problem: Record<string, unknown>): JudgeFinding {
  const [location] = Array.isArray(problem['location']) ? problem['location'].filter(isObject) : []
  return {
    rule: String(problem['ruleId']),
    message: String(problem['message']).split('\n', 1)[0] ?? '',
    location: String(location?.['pointer'] ?? ''),
  }
}
