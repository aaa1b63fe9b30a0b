/**
 * Scaffolds an operation, or another addition that takes many files: writes all of them, with `TODO:` lines that lint refuses until they
 * are replaced. If a name is in use or malformed, it prints one sentence, exits with code 2 and writes no file.
 *
 *     npm run new operation retrieveBadge GET '/v1/badges/{badge_id}' always
 */

import { parseArgs } from 'node:util'
import { projectRoot } from './generate/files.ts'
import { begin, help } from './new/begin.ts'
import { UsageError } from './new/usage_error.ts'

try {
  const options = { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  console.log(values.help ? help() : begin(projectRoot, positionals, values['dry-run'] ?? false))
} catch (error) {
  // `parseArgs` refuses unknown options with a TypeError that has a code.
  const isRefused = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
  if (!isRefused) throw error
  console.error(error.message)
  process.exitCode = 2
}
