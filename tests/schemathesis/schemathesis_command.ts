import { join } from 'node:path'
import { pythonCommand } from '../../scripts/judge/python.ts'

/**
 * The command `schemathesis` of the version in requirements.txt.
 * @returns undefined without Python 3.10 or newer
 */
export function schemathesisCommand(): Promise<string | undefined> {
  return pythonCommand('schemathesis', join(import.meta.dirname, 'requirements.txt'))
}
