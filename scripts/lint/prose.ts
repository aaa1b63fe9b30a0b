/** Checks the wording of guides and documents, as the rule `plain-words` does in the contract. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unplainWords } from '../../spec/rules/support/words.js'
import { nameOf, projectRoot } from '../generate/files.ts'
import { workspaces } from '../workspaces.ts'
import type { Problem } from './problem.ts'

const FOLDERS = ['spec', 'decisions', 'examples', ...workspaces]
/** Notes of past releases keep their wording. */
const NOT_CHECKED = /(?:^|\/)(?:CHANGELOG\.md$|node_modules\/|dist\/)/

/** The words to replace in the Markdown files of the project. */
export async function proseProblems(): Promise<Problem[]> {
  const nested = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(join(projectRoot, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  )
  const names = [...(await readdir(projectRoot)), ...nested.flat()]
  const documents = names.filter((name) => name.endsWith('.md') && !NOT_CHECKED.test(name))
  const found = documents.map(async (name) => problemsOf(join(projectRoot, name)))
  return (await Promise.all(found)).flat()
}

async function problemsOf(file: string): Promise<Problem[]> {
  const text = await readFile(file, 'utf8')
  return unplainWords(text).map(({ index, message }): Problem => {
    const before = text.slice(0, index).split('\n')
    const location = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, location: '' }
    return { tool: 'prose', rule: 'plain-words', severity: 'error', message, file: nameOf(file), ...location }
  })
}
