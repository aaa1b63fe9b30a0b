/**
 * Generates everything in `generated/` from the contract. If the contract has faults, reports all of them and writes nothing. What breaks
 * a rule of lint is a fault, too, unless drafts are wanted: `--no-lint`. What an earlier run made and this one does not is removed;
 * `files.txt` lists what was made. With `--for-programs`, only what the service and the mock need to start is made.
 *
 *     node scripts/generate.ts [--root spec/openapi.yaml] [--out generated] [--no-lint] [--for-programs]
 */

import { join, resolve } from 'node:path'
import { faultsIn } from './generate/faults.ts'
import { nameOf, projectRoot } from './generate/files.ts'
import { generateInto } from './generate/write.ts'
import { parseCommandLine } from './parse_command_line.ts'

const { values } = parseCommandLine(import.meta.filename, {
  allowNegative: true,
  options: {
    root: { type: 'string', default: join(projectRoot, 'spec/openapi.yaml') },
    out: { type: 'string', default: join(projectRoot, 'generated') },
    lint: { type: 'boolean', default: true },
    'for-programs': { type: 'boolean', default: false },
  },
})

const started = performance.now()
const tell = (what: string): void => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${what}`)
try {
  const { count, written, removed } = await generateInto(resolve(values.out), resolve(values.root), {
    isLinted: values.lint,
    isForPrograms: values['for-programs'],
    report: tell,
  })
  const without = removed.length === 0 ? '' : `, and ${removed.length} were removed`
  tell(`${written.length} of ${count} files have changed in ${nameOf(resolve(values.out))}${without}`)
} catch (error) {
  const faults = faultsIn(error)
  console.error(
    `${faults.join('\n')}\nNothing was written: the contract has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`,
  )
  process.exitCode = 1
}
