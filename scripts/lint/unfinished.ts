/** Finds lines with `TODO:`, such as those that `npm run new` writes. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nameOf, projectRoot, type ContractFiles } from '../generate/files.ts'
import { workspaces } from '../workspaces.ts'
import type { Problem } from './problem.ts'

/** The `TODO:` lines in the files of the contract that have been read. */
export async function unfinishedFiles(files: ContractFiles): Promise<Problem[]> {
  return (await files.sources()).flatMap(({ absoluteRef, body }) => unfinishedLines(absoluteRef, body))
}

/** Folders outside the contract: the code, its tests, the guides, and files that are not referenced yet. */
const FOLDERS: readonly (readonly [folder: string, ending: string])[] = [
  ...workspaces.map((folder) => [folder, '.ts'] as const),
  ['tests', '.ts'],
  ['spec/guides', '.md'],
  ['spec', '.yaml'],
]
/** Tests that contain `TODO:` lines on purpose. */
const TESTS_OF_SCRIPTS = /^tests\/(?:dev|spec)\//

/** The `TODO:` lines in those folders, except in the tests of scripts. */
export async function unfinishedBesideContract(): Promise<Problem[]> {
  const folders = await Promise.all(
    FOLDERS.map(async ([folder, ending]) => {
      const names = await readdir(join(projectRoot, folder), { recursive: true })
      return names.map((name) => `${folder}/${name}`).filter((path) => path.endsWith(ending) && !TESTS_OF_SCRIPTS.test(path))
    }),
  )
  const found = folders.flat().map(async (path) => {
    const file = join(projectRoot, path)
    return unfinishedLines(file, await readFile(file, 'utf8'))
  })
  return (await Promise.all(found)).flat()
}

function unfinishedLines(file: string, text: string): Problem[] {
  if (!text.includes('TODO:')) return []
  return text.split('\n').flatMap((line, index): Problem[] => {
    const found = /\b(TODO: .*?)['"`]*[,)}]*$/.exec(line)
    const [, message] = found ?? []
    const location = { file: nameOf(file), line: index + 1, column: (found?.index ?? 0) + 1, location: '' }
    return message === undefined ? [] : [{ tool: 'unfinished', rule: 'unfinished', severity: 'error', message, ...location }]
  })
}
