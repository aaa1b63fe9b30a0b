/** Begins an addition in the source tree, and prints the next steps. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../generate/files.ts'
import { FileDraft } from './file_draft.ts'
import type { Kind } from './kind.ts'
import { kinds } from './kinds.ts'
import { UsageError } from './usage_error.ts'

export function help(): string {
  const lines = [...kinds].map(([word, kind]) => `  npm run new ${usage(word, kind)}\n      ${kind.says}`)
  return `Scaffolds an addition to the contract, the server and the tests.

${lines.join('\n')}

Options, behind --:
  --dry-run   lists the files without writing them
  --help      shows this`
}

const usage = (word: string, { parameters }: Kind): string => [word, ...parameters.map((name) => `<${name}>`)].join(' ')

/**
 * @param root the folder of the project
 * @param words the kind of addition and its arguments
 * @returns the text to print
 * @throws UsageError if a name is in use or malformed; then no file is written
 */
export function begin(root: string, [word, ...names]: readonly string[], isDry: boolean): string {
  const known = [...kinds.keys()]
  if (word === undefined) throw new UsageError(`Name what to add: ${known.join(', ')}.`)
  const kind = kinds.get(word)
  if (kind === undefined) throw new UsageError(`"${word}" cannot be added. Expected one of: ${known.join(', ')}.`)
  if (names.length !== kind.parameters.length) throw new UsageError(`Usage: npm run new ${usage(word, kind)}`)
  const draft = new FileDraft(root)
  const left = kind.draft(draft, names)
  if (!isDry) {
    draft.write()
    format(root, [...draft.created, ...draft.changed])
  }
  return summary(draft, [...left, kind.callers], isDry)
}

function format(root: string, paths: readonly string[]): void {
  const files = paths.filter((path) => /\.(?:ts|yaml)$/.test(path)).map((path) => join(root, path))
  const oxfmt = join(projectRoot, 'node_modules/oxfmt/bin/oxfmt')
  if (files.length > 0) spawnSync(process.execPath, [oxfmt, ...files], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
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
