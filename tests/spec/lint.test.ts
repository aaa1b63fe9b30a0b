/** The linters find nothing in the contract; what is wrong in another one they name with the line of the file where it stands. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readContract } from '../../scripts/generate/contract.ts'
import { ContractFiles } from '../../scripts/generate/files.ts'
import { Linter } from '../../scripts/lint/linter.ts'
import type { Problem } from '../../scripts/lint/problem.ts'
import { report } from '../../scripts/lint/report.ts'
import { specFolder } from './support/files.ts'

let linter: Linter
const folder = mkdtempSync(join(tmpdir(), 'lint-test-'))
const root = join(folder, 'openapi.yaml')
const files = new ContractFiles()

beforeAll(async () => {
  linter = await Linter.load()
  cpSync(join(import.meta.dirname, 'fixtures/contract'), folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

async function found(): Promise<Problem[]> {
  files.forgetChanged()
  return linter.problems(await readContract(root, files))
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(folder, file), text.replace(from, to))
}

test('sources, bundle and examples of the contract are clean', async () => {
  const contract = await readContract(join(specFolder, 'openapi.yaml'))
  expect(report(await linter.problems(contract))).toBe('Lint: no errors, no warnings.')
})

test('house law, examples and structure name the file and the line, until it is mended', async () => {
  const known = new Set((await found()).map((problem) => JSON.stringify(problem)))
  const news = async () => (await found()).filter((problem) => !known.has(JSON.stringify(problem)))

  edit('resources/notes/schemas/NoteList.yaml', 'description: ', 'x-was: ')
  edit('resources/notes/examples/RetrieveNoteText.yaml', 'object: note', 'object: 7')
  edit('resources/notes/paths/note_changes.yaml', 'operationId: listNoteChanges', 'operationId: listNotes')
  edit('shared/responses/BadRequest.yaml', 'description: ', 'descripton: ')
  const faults = await news()
  const at = (rule: string): unknown[] => faults.filter((one) => one.rule === rule).map(({ file, line }) => [file, line])
  const place = (file: string): string => expect.stringMatching(`${file}$`)
  expect(at('descriptions')).toContainEqual([place('resources/notes/schemas/NoteList.yaml'), 1])
  expect(at('no-invalid-media-type-examples')).toContainEqual([place('resources/notes/examples/RetrieveNoteText.yaml'), 2])
  expect(at('struct')).toContainEqual([place('shared/responses/BadRequest.yaml'), 1])
  const [copy] = faults.filter(({ rule }) => rule === 'operation-operationId-unique')
  expect(`${copy?.file}:${copy?.line} ${copy?.message}`).toMatch(
    /note_changes\.yaml:6 .*\/notes\.yaml:5|\/notes\.yaml:5 .*note_changes\.yaml:6/,
  )

  edit('resources/notes/schemas/NoteList.yaml', 'x-was: ', 'description: ')
  edit('resources/notes/examples/RetrieveNoteText.yaml', 'object: 7', 'object: note')
  edit('resources/notes/paths/note_changes.yaml', 'operationId: listNotes', 'operationId: listNoteChanges')
  edit('shared/responses/BadRequest.yaml', 'descripton: ', 'description: ')
  expect(await news()).toEqual([])
})
