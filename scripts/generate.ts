/**
 * Generates everything in `generated/` from the contract. If the contract has faults, reports all of them and writes nothing. Violations of
 * lint rules are also faults, unless `--no-lint` allows drafts. Files of an earlier run that this one does not generate are removed;
 * `files.txt` lists the generated files. With `--for-programs`, it generates only the files that the service and the mock need to start.
 * With `--if-stale`, only the files that are not committed, without lint, and only if they are missing or older than the contract: npm runs
 * this before start, tests and build.
 *
 *     node scripts/generate.ts [--root spec/openapi.yaml] [--out generated] [--no-lint] [--for-programs | --if-stale]
 */

import './compile_cache.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isStale, markFresh } from './generate/uncommitted.ts'
import { parseCommandLine } from './parse_command_line.ts'

const projectRoot = resolve(import.meta.dirname, '..')
const ROOT = join(projectRoot, 'spec/openapi.yaml')
const OUT = join(projectRoot, 'generated')

const { values } = parseCommandLine(import.meta.filename, {
  allowNegative: true,
  options: {
    root: { type: 'string', default: ROOT },
    out: { type: 'string', default: OUT },
    lint: { type: 'boolean', default: true },
    'for-programs': { type: 'boolean', default: false },
    'if-stale': { type: 'boolean', default: false },
  },
})
if (values['if-stale'] && !isStale(projectRoot)) process.exit()

const tools = await loadTools()
if (tools === undefined) {
  console.warn('The forms of the contract were not generated, because the tools are not installed. `npm ci` installs them.')
  process.exit()
}
const { faultsIn, generateInto, nameOf } = tools

const withCrlf = [values.root, join(values.out, 'openapi.yaml')].find(hasCrlf)
if (withCrlf !== undefined && !values['if-stale']) {
  console.error(
    `${nameOf(resolve(withCrlf))} has CRLF line ends, and the repository has LF: every file would seem to have changed.\n` +
      'Nothing was written. With Git, check the files out again: git rm --cached -rq . && git reset --hard',
  )
  process.exit(1)
}

const started = performance.now()
const isWhole = values.root === ROOT && values.out === OUT
const log = (what: string): void => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${what}`)
try {
  const { count, written, removed } = await generateInto(resolve(values.out), resolve(values.root), {
    isLinted: values.lint && !values['if-stale'],
    part: values['for-programs'] ? 'for programs' : values['if-stale'] ? 'uncommitted' : 'all',
    usesThread: values.root === ROOT,
    report: values['if-stale'] ? undefined : log,
  })
  if (isWhole && !values['for-programs']) markFresh(projectRoot)
  const without = removed.length === 0 ? '' : `, and ${removed.length} were removed`
  if (values['if-stale']) log(`${written.length} files of ${nameOf(resolve(values.out))} are made from the contract`)
  else log(`${written.length} of ${count} files have changed in ${nameOf(resolve(values.out))}${without}`)
} catch (error) {
  const faults = faultsIn(error)
  console.error(
    `${faults.join('\n')}\nNothing was written: the contract has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`,
  )
  process.exitCode = 1
}

function hasCrlf(path: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').includes('\r\n')
}

/** With `--if-stale`, undefined if the tools are not installed. */
async function loadTools() {
  try {
    const [faults, files, write] = await Promise.all([
      import('./generate/faults.ts'),
      import('./generate/files.ts'),
      import('./generate/write.ts'),
    ])
    return { ...faults, ...files, ...write }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing && values['if-stale']) return undefined
    throw error
  }
}
