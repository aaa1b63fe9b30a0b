/** Finds lines with `TODO:`, such as those that `npm run new` writes. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nameOf, projectRoot, type ContractFiles } from '../generate/files.ts'
import type { Problem } from './problem.ts'

/** The `TODO:` lines in the files of the contract that have been read. */
export async function unfinishedFiles(files: ContractFiles): Promise<Problem[]> {
  return (await files.sources()).flatMap(({ absoluteRef, body }) => unfinishedLines(absoluteRef, body))
}

/** The `TODO:` lines in the code of the server and in the tests, except for the tests of scripts. */
export async function unfinishedCode(): Promise<Problem[]> {
  const folders = await Promise.all(
    ['server', 'tests'].map(async (folder) => {
      const names = await readdir(join(projectRoot, folder), { recursive: true })
      return names.filter((name) => name.endsWith('.ts') && !/^spec\//.test(name)).map((name) => join(projectRoot, folder, name))
    }),
  )
  const found = folders.flat().map(async (file) => unfinishedLines(file, await readFile(file, 'utf8')))
  return (await Promise.all(found)).flat()
}

function unfinishedLines(file: string, text: string): Problem[] {
  if (!text.includes('TODO:')) return []
  return text.split('\n').flatMap((line, index): Problem[] => {
    const [, message] = /\b(TODO: .*?)['"`]*[,)}]*$/.exec(line) ?? []
    const place = { file: nameOf(file), line: index + 1, place: '' }
    return message === undefined ? [] : [{ tool: 'unfinished', rule: 'unfinished', severity: 'error', message, ...place }]
  })
}
