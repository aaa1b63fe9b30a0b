import { join } from 'node:path'
import { pythonCommand } from '../../scripts/judge/python.ts'

/**
 * The command `schemathesis` of the release that requirements.txt pins.
 * @returns undefined where no Python from 3.10 on is found
 */
export function schemathesisCommand(): Promise<string | undefined> {
  return pythonCommand('schemathesis', join(import.meta.dirname, 'requirements.txt'))
}
