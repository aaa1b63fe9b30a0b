/**
 * Shows how the contract in `spec/` has changed for callers since the last release. The exit code is 1 if there is a breaking change that
 * CHANGELOG.md does not list.
 *
 *     node scripts/diff.ts [--base <file or commit>] [--markdown | --changelog] [--wording] [--allow] [--release]
 *
 * Changes of wording are only counted, unless `--wording` asks for them.
 */

import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { compareContracts } from './diff/contracts.ts'
import { readBase, asReleased, writeReleased } from './diff/released.ts'
import { changelogEntry, markdownReport, terminalReport, unnamedBreaks } from './diff/report.ts'
import { bundleContract } from './generate/contract.ts'
import { projectRoot } from './generate/files.ts'
import { parseCommandLine } from './parse_command_line.ts'

const { values } = parseCommandLine(import.meta.filename, {
  options: {
    base: { type: 'string' },
    root: { type: 'string', default: join(projectRoot, 'spec/openapi.yaml') },
    markdown: { type: 'boolean', default: false },
    changelog: { type: 'boolean', default: false },
    wording: { type: 'boolean', default: false },
    allow: { type: 'boolean', default: false },
    release: { type: 'boolean', default: false },
  },
})

try {
  const revised = asReleased((await bundleContract(resolve(values.root))).document)
  const base = asReleased(await readBase(values.base))
  const changes = compareContracts(base, revised)
  const name = values.base ?? 'the last release'
  if (values.changelog) console.log(changelogEntry(changes))
  else
    console.log(values.markdown ? markdownReport(changes, name, values.wording) : terminalReport(changes, name, values.wording))
  const unnamed = unnamedBreaks(changes, await readFile(join(projectRoot, 'CHANGELOG.md'), 'utf8'))
  if (unnamed.length > 0 && !values.allow) {
    const count = unnamed.length === 1 ? 'One breaking change is' : `${unnamed.length} breaking changes are`
    console.error(`${count} not in CHANGELOG.md; npm run diff -- --changelog prints the lines.`)
    process.exitCode = 1
  } else if (values.release) await writeReleased(revised)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
