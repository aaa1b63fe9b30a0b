/** The linters find nothing in the contract; faults in another contract are reported with the line of their file. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWithFaults } from '../../scripts/generate/contract.ts'
import { Linter } from '../../scripts/lint/linter.ts'
import type { Problem } from '../../scripts/lint/problem.ts'
import { report } from '../../scripts/lint/report.ts'
import { specFolder } from './support/files.ts'

/** The id in the examples of notes. */
const LISTED_ID = '479dd02e-5974-4f6b-8eeb-4467a5c46004'

let linter: Linter
const folder = mkdtempSync(join(tmpdir(), 'lint-test-'))
const root = join(folder, 'openapi.yaml')

beforeAll(async () => {
  linter = await Linter.load()
  cpSync(join(import.meta.dirname, 'fixtures/contract'), folder, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

async function found(): Promise<Problem[]> {
  return linter.problems(await readWithFaults(root))
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(folder, file), text.replace(from, to))
}

test('sources, bundle and examples of the contract are valid', async () => {
  const reading = await readWithFaults(join(specFolder, 'openapi.yaml'))
  expect(report(await linter.problems(reading))).toBe('Lint: no errors, no warnings.')
})

/** Findings that the unchanged contract does not have, `file:line message` by rule. */
async function news(): Promise<(rule: string) => string[]> {
  known ??= new Set((await found()).map((problem) => JSON.stringify(problem)))
  const faults = (await found()).filter((problem) => !known?.has(JSON.stringify(problem)))
  return (rule) => faults.filter((one) => one.rule === rule).map(({ file, line, message }) => `${file}:${line} ${message}`)
}
let known: Set<string> | undefined

test('lint reports an id that the list lacks, with or without dashes, in each example', async () => {
  await news()
  const ids = {
    'resources/notes/parameters/NoteId.yaml': 'ca20eba9-2de2-414a-98a3-976840bc555d',
    'resources/notes/examples/ListNotesPage.yaml': 'https://workspace.example/Rope-ca20eba92de2414a98a3976840bc555d',
    'resources/notes/examples/RetrieveNoteList.yaml': '4964bee8-b89d-406f-b67b-050bf05d74f7', // of a range in the list of ids
  }
  for (const [file, id] of Object.entries(ids)) edit(file, LISTED_ID, id)
  expect((await news())('example-ids')).toEqual([
    expect.stringMatching('ListNotesPage.yaml:6 ca20eba92de2414a98a3976840bc555d is not in example_workspace.md'),
    expect.stringMatching('NoteId.yaml:6 ca20eba9-2de2-414a-98a3-976840bc555d is not in example_workspace.md'),
  ])
  for (const [file, id] of Object.entries(ids)) edit(file, id, LISTED_ID)
  expect((await news())('example-ids')).toEqual([])
})

test('lint reports a TODO in a comment', async () => {
  await news()
  edit('resources/notes/schemas/NoteList.yaml', 'description: ', '# TODO: say more\ndescription: ')
  expect((await news())('unfinished')).toEqual([expect.stringMatching('NoteList.yaml:\\d+ TODO: say more$')])
  edit('resources/notes/schemas/NoteList.yaml', '# TODO: say more\n', '')
  expect((await news())('unfinished')).toEqual([])
})

test('lint reports an unknown key of a workflow, and an unknown operation, until fixed', async () => {
  await news()
  const workflow = 'workflows/keep_a_note.arazzo.yaml'
  edit(workflow, 'operationId: createNote', 'operationID: createNote')
  expect((await news())('struct')).toContainEqual(expect.stringMatching('keep_a_note.arazzo.yaml:13 .*operationID'))
  edit(workflow, 'operationID: createNote', 'operationId: keepNote')
  expect((await news())('workflow-operations')).toEqual([
    expect.stringMatching('keep_a_note.arazzo.yaml:13 The contract has no operation keepNote'),
  ])
  expect((await news())('struct')).toEqual([])
  edit(workflow, 'operationId: keepNote', 'operationId: createNote')
  expect((await news())('workflow-operations')).toEqual([])
})

test("lint reports faults of the project's rules, examples and structure with file and line, until fixed", async () => {
  await news()
  edit('resources/notes/schemas/NoteList.yaml', 'description: ', 'x-was: ')
  edit('resources/notes/examples/RetrieveNoteText.yaml', 'object: note', 'object: 7')
  edit('resources/notes/paths/note_changes.yaml', 'operationId: listNoteChanges', 'operationId: listNotes')
  edit('shared/responses/BadRequest.yaml', 'description: ', 'descripton: ')
  const at = await news()
  const location = (file: string, line: number): unknown => expect.stringMatching(`${file}:${line} `)
  expect(at('descriptions')).toContainEqual(location('resources/notes/schemas/NoteList.yaml', 1))
  expect(at('no-invalid-media-type-examples')).toContainEqual(location('resources/notes/examples/RetrieveNoteText.yaml', 2))
  expect(at('struct')).toContainEqual(location('shared/responses/BadRequest.yaml', 1))
  expect(at('operation-operationId-unique')).toEqual([
    expect.stringMatching(/note_changes\.yaml:6 .*\/notes\.yaml:5|\/notes\.yaml:5 .*note_changes\.yaml:6/),
  ])

  edit('resources/notes/schemas/NoteList.yaml', 'x-was: ', 'description: ')
  edit('resources/notes/examples/RetrieveNoteText.yaml', 'object: 7', 'object: note')
  edit('resources/notes/paths/note_changes.yaml', 'operationId: listNotes', 'operationId: listNoteChanges')
  edit('shared/responses/BadRequest.yaml', 'descripton: ', 'description: ')
  const afterFix = await news()
  for (const rule of ['descriptions', 'no-invalid-media-type-examples', 'struct', 'operation-operationId-unique'])
    expect(afterFix(rule)).toEqual([])
})
