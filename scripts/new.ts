/**
 * Scaffolds an operation, or another addition that takes many files: writes all of them, with `TODO:` lines that lint refuses until they
 * are replaced. If a name is taken or malformed, it prints one sentence, exits with code 2 and writes nothing.
 *
 *     npm run new operation retrieveBadge GET '/v1/badges/{badge_id}'
 */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from './generate/files.ts'
import { FileDraft } from './new/file_draft.ts'
import type { Kind } from './new/kind.ts'
import { kinds } from './new/kinds.ts'
import { UsageError } from './new/usage_error.ts'

function help(): string {
  const lines = [...kinds].map(([word, kind]) => `  npm run new ${usage(word, kind)}\n      ${kind.says}`)
  return `Scaffolds an addition to the contract, the server and the tests.

${lines.join('\n')}

Options, behind --:
  --dry-run   lists the files without writing them
  --help      shows this`
}

const usage = (word: string, { parameters }: Kind): string => [word, ...parameters.map((name) => `<${name}>`)].join(' ')

function begin([word, ...names]: readonly string[], isDry: boolean): string {
  const known = [...kinds.keys()]
  if (word === undefined) throw new UsageError(`Name what to add: ${known.join(', ')}.`)
  const kind = kinds.get(word)
  if (kind === undefined) throw new UsageError(`There is no "${word}" to add, only: ${known.join(', ')}.`)
  if (names.length !== kind.parameters.length) throw new UsageError(`Usage: npm run new ${usage(word, kind)}`)
  const draft = new FileDraft(projectRoot)
  const left = kind.draft(draft, names)
  if (!isDry) {
    draft.write()
    format([...draft.created, ...draft.changed])
  }
  return summary(draft, left, isDry)
}

function format(paths: readonly string[]): void {
  const files = paths.filter((path) => /\.(?:ts|yaml)$/.test(path)).map((path) => join(projectRoot, path))
  const oxfmt = join(projectRoot, 'node_modules/oxfmt/bin/oxfmt')
  if (files.length > 0)
    spawnSync(process.execPath, [oxfmt, ...files], { cwd: projectRoot, stdio: ['ignore', 'ignore', 'inherit'] })
}

function summary({ created, changed }: FileDraft, left: readonly string[], isDry: boolean): string {
  return `${isDry ? 'Would write' : 'Written'}:
${created.map((path) => `  new      ${path}`).join('\n')}
${changed.map((path) => `  changed  ${path}`).join('\n')}

Next:
  npm run generate     makes the types that the code needs to compile
  npm run typecheck    names the other code that has to handle it
  npm run lint         lists each TODO until it is replaced
${left.map((line) => `  - ${line}\n`).join('')}CONTRIBUTING.md explains the steps.`
}

try {
  const options = { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  console.log(values.help ? help() : begin(positionals, values['dry-run'] ?? false))
} catch (error) {
  // `parseArgs` refuses unknown options with a TypeError that has a code.
  const isRefused = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
  if (!isRefused) throw error
  console.error(error.message)
  process.exitCode = 2
}
