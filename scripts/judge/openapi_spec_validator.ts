import { join } from 'node:path'
import type { Judge } from './judge.ts'
import { ToolMissing } from './tool_missing.ts'
import { pythonCommand } from './python.ts'
import { runProgram } from './run.ts'

/** The validator of OpenAPI documents that most Python tools use. */
export const openapiSpecValidator: Judge = {
  name: 'openapi-spec-validator',
  async find(bundle) {
    const command = await pythonCommand('openapi-spec-validator', join(import.meta.dirname, 'requirements.txt'))
    if (command === undefined) throw new ToolMissing('It requires Python 3.10 or newer, which is not installed.')
    const output = await runProgram(command, ['--validation-errors', 'all', bundle])
    return output?.code === 0
      ? []
      : [{ rule: 'document', message: `${output?.stdout}${output?.stderr}`.trim().slice(0, 2000), location: '' }]
  },
}
