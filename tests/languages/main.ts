/**
 * Makes clients in other languages from the contract, and has each make five calls to the running service.
 *
 *     node tests/languages/main.ts [word of a kit's name or language]
 *
 * Toolchains that are not there are said to be missing, and their kits left out. The generators come from their package registries, and lie with
 * what they make under `node_modules/.cache/languages`. Exit code 1 when a kit did not get through, 2 when there was none to try.
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
  // One after the other: compilers take all that there is.
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
