import { basename, dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { type ExportedName, exportedNames } from './support/exports.ts'
import { sourceFiles, workspaces } from '../../scripts/workspaces.ts'

const root = resolve(import.meta.dirname, '../..')

/** Files that are not named after their export, with the reasons. */
const EXCEPTIONS: readonly (readonly [files: RegExp, reason: string])[] = [
  [/^server\/versions\/\d{4}-\d\d-\d\d\.ts$/, 'after its release date'],
  [/^testkit\/src\/(?:jest|node|vitest)\.ts$/, 'after its test runner'],
  [/^tests\/fuzz\/targets\/\w+\.ts$/, 'after the parser that it fuzzes'],
  [/^fakes\/msw\.ts$/, 'after the library that uses the fakes'],
  [/^server\/package\/index\.ts$/, 'after its package, which exports much from elsewhere'],
]

const ENDING = /(?<=..)(?:e|y|ie|e?d|ing|er|ize|ate|(?:iza|a)?tion)$/

/** Words in lower case and without their endings: `requestedPage` and `paging.ts` both have `pag`. */
function wordsOf(name: string): Set<string> {
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return new Set(words.map((word) => word.replace(/(?<=..)s$/, '').replace(ENDING, '')))
}

/** The words of the file's name; those of its folder's name for `index.ts`. */
const fileWords = (file: string): Set<string> => wordsOf(basename(basename(file) === 'index.ts' ? dirname(file) : file, '.ts'))

/** The only value that a file exports, if its name has no word of the file's, and the file is not named after a type either. */
function strangeExport(file: string, exported: readonly ExportedName[]): string | undefined {
  const values = exported.filter(({ isType }) => !isType)
  const types = exported.filter(({ isType }) => isType)
  const [value] = values
  if (value === undefined || values.length > 1) return undefined
  const words = fileWords(file)
  const isNamedAfterType = types.some(({ name }) => words.isSubsetOf(wordsOf(name)))
  return isNamedAfterType || !words.isDisjointFrom(wordsOf(value.name)) ? undefined : value.name
}

// If you are here because a file is listed: nobody would look for its export there. Rename the file or the export, whichever has the worse
// name.
it('a file with one export is named after it', () => {
  const files = sourceFiles(['scripts', 'fakes', 'bench', 'tests', ...workspaces])
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => !EXCEPTIONS.some(([named]) => named.test(file)))
  expect(files.length).toBeGreaterThan(900)
  const strange = files.flatMap((file) => {
    const name = strangeExport(file, exportedNames(resolve(root, file)))
    return name === undefined ? [] : [`${file} exports ${name}`]
  })
  expect(strange).toEqual([])
})
