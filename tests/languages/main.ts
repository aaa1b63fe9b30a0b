/**
 * Generates clients in other languages from the contract, and makes five calls with each to the running service.
 *
 *     node tests/languages/main.ts [word of a kit's name or language]
 *
 * Missing toolchains are reported, and their kits skipped. The generators come from their package registries, and are stored with their
 * output under `node_modules/.cache/languages`. The exit code is 1 if a kit failed, 2 if there was none to run.
 */

import { kits } from './kits.ts'
import { isPassed, printOutcome, printTable, tryKit, type Outcome } from './run.ts'
import { startTestedService } from '../schemathesis/service.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

const [word = ''] = parseCommandLine(import.meta.filename, { allowPositionals: true }).positionals
const chosen = kits.filter(({ name, language }) => `${name} ${language}`.includes(word))
const service = await startTestedService('owner')
try {
  const outcomes: Outcome[] = []
  // One after the other: each compiler uses all cores.
  for (const kit of chosen) {
    const outcome = await tryKit(kit, service)
    printOutcome(outcome)
    outcomes.push(outcome)
  }
  printTable(outcomes)
  const tried = outcomes.filter(({ missing }) => missing.length === 0)
  process.exitCode = tried.length === 0 ? 2 : tried.every(isPassed) ? 0 : 1
} finally {
  await service.stop()
}
