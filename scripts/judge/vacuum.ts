import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Judge } from './judge.ts'
import { ToolMissing } from './tool_missing.ts'
import { runProgram } from './run.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const MODULE = 'github.com/daveshanley/vacuum'
const VERSION = 'v0.30.3'

/** vacuum's recommended rules: the installed command if there is one, otherwise one built by Go. */
export const vacuum: Judge = {
  name: 'vacuum',
  async find(bundle) {
    const output = await runProgram(await vacuumCommand(), [
      'spectral-report',
      '--stdout',
      '--no-pretty',
      '--no-style',
      '--no-update-check',
      // One rule validates every example; the default of 5 s would silently skip it.
      '--timeout',
      '600',
      bundle,
    ])
    const report: unknown = parse(output?.stdout ?? '')
    if (!Array.isArray(report)) return [{ rule: 'no result', message: `${output?.stderr}`.trim().slice(-2000), location: '' }]
    return report.filter(isObject).map(({ code, message, path }) => ({
      rule: String(code),
      message: String(message),
      location: Array.isArray(path) ? path.join('/') : '',
    }))
  },
}

async function vacuumCommand(): Promise<string> {
  if ((await runProgram('vacuum', ['version']))?.code === 0) return 'vacuum'
  const folder = join(tmpdir(), `workspace-service-vacuum-${VERSION}`)
  const built = join(folder, 'vacuum')
  if (existsSync(built)) return built
  const output = await runProgram('go', ['install', `${MODULE}@${VERSION}`], { GOBIN: folder })
  if (output === undefined)
    throw new ToolMissing('The command `vacuum` is not installed, and neither is Go, which could build it.')
  if (output.code !== 0)
    throw new ToolMissing(
      `The command \`vacuum\` is not installed, and Go cannot build it: ${output.stderr.trim().split('\n').at(-1)}`,
    )
  return built
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
