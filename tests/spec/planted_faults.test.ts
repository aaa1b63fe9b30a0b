/** Each lint rule finds the fault that it exists for, in the contract of notes. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import ruleset from '../../.spectral.js'
import { readWithFaults } from '../../scripts/generate/contract.ts'
import { nameOf } from '../../scripts/generate/files.ts'
import { Linter } from '../../scripts/lint/linter.ts'
import type { Problem } from '../../scripts/lint/problem.ts'
import { report } from '../../scripts/lint/report.ts'
import { edited, plantedFaults, release } from './support/planted_faults.ts'

const folder = mkdtempSync(join(tmpdir(), 'planted-'))
const spec = join(folder, 'spec')
let linter: Linter
let before: readonly Problem[]

beforeAll(async () => {
  linter = await Linter.load()
})
beforeEach(async () => {
  rmSync(spec, { recursive: true, force: true })
  cpSync(join(import.meta.dirname, 'fixtures/contract'), spec, { recursive: true })
  before ??= await found()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Findings that the unchanged contract does not have. */
async function news(): Promise<readonly Problem[]> {
  const known = new Set(before.map((problem) => JSON.stringify(problem)))
  return (await found()).filter((problem) => !known.has(JSON.stringify(problem)))
}

async function found(): Promise<readonly Problem[]> {
  return linter.problems(await readWithFaults(join(spec, 'openapi.yaml')))
}

// If you are here because a rule is missing: plant a fault for it in planted_faults.ts.
test('every rule of the project has a planted fault', () => {
  const planted = new Set(plantedFaults.map(({ rule }) => rule))
  expect(Object.keys(ruleset.rules).filter((rule) => !planted.has(rule))).toEqual([])
})

test.each(plantedFaults)('$rule: $title', async ({ rule, plant }) => {
  plant(spec)
  const reported = await news()
  expect(reported).toContainEqual(expect.objectContaining({ rule }))
})

const SCHEMAS = 'resources/notes/schemas'
// Each of these also invalidates examples or other parts of the contract.
test.each([
  [
    `${SCHEMAS}/NoteList.yaml`,
    '[object, type,',
    '[objekt, type,',
    '3:12  ✖ required-properties  objekt is required, but not described, did you mean `object`?',
  ],
  [
    `${SCHEMAS}/NoteBase.yaml`,
    'required: ',
    'requird: ',
    '3:1  ✖ struct  Property `requird` is not expected here, did you mean `required`?',
  ],
  [
    `${SCHEMAS}/NoteBase.yaml`,
    'type: object',
    'type: objct',
    '1:7  ✖ struct  `type` can be one of the following only: "object", "array", "string", "number", "integer", "boolean", "null", did you mean `object`?',
  ],
  [
    `${SCHEMAS}/NoteBase.yaml`,
    'properties:',
    'propreties:',
    '4:1  ✖ struct  Property `propreties` is not expected here, did you mean `properties`?',
  ],
  [
    'shared/responses/BadRequest.yaml',
    'description: ',
    'descripton: ',
    '1:1  ✖ struct  Property `descripton` is not expected here, did you mean `description`?',
  ],
  [
    'shared/headers/RetryAfter.yaml',
    'schema: ',
    'schemas: ',
    '3:1  ✖ struct  Property `schemas` is not expected here, did you mean `schema`?',
  ],
  [
    'resources/notes/paths/notes.yaml',
    'tags: [Notes]',
    'tags: [Note]',
    '6:10  ✖ operation-tag-defined  Operation tags should be defined in global tags.',
  ],
  [
    'resources/notes/paths/notes.yaml',
    'All notes.',
    'All. 400 `validation_eror`.',
    '8:25  ✖ error-codes  The contract has no error code `validation_eror`, did you mean `validation_error`?',
  ],
  ['shared/schemas/Color.yaml', 'description: ', 'x-was: ', '1:1  ✖ descriptions  Color has no description'],
  [
    'shared/schemas/Color.yaml',
    'red, blue',
    'red, 7',
    '3:22  ✖ no-enum-type-mismatch  All values of `enum` field must be of the same type as the `type` field: expected "string" but received "integer".',
  ],
  [
    `${SCHEMAS}/NoteList.yaml`,
    '[object, type,',
    '[object, tpye,',
    '3:20  ✖ required-properties  tpye is required, but not described, did you mean `type`?',
  ],
  [
    `${SCHEMAS}/ListNote.yaml`,
    'items: { type: string }',
    'x-items: { type: string }',
    '8:3  ✖ array-items  An array needs items',
  ],
  [
    'resources/notes/paths/note_changes.yaml',
    '  tags: [Notes]',
    '  x-tags: [Notes]',
    '5:1  ✖ operation-tag-defined  Operation tags should be defined',
  ],
  // In a part of an `allOf` that other schemas complete.
  [
    `${SCHEMAS}/NoteBase.yaml`,
    '[object, id]',
    '[object, idd]',
    '3:20  ✖ required-properties  idd is required, but not described, did you mean `id`?',
  ],
])('lint reports %s with %j as %j once, at its line and column', async (file, from, to, finding) => {
  edited(file, [from, to])(spec)
  expect(report(await news()).split('\n')[0]).toBe(`${nameOf(join(spec, file))}:${finding}`)
  expect(await news()).toHaveLength(1)
})

test('lint reports causes before their consequences', async () => {
  edited('resources/notes/schemas/NoteList.yaml', ['description: ', 'x-was: '])(spec)
  edited('resources/notes/examples/RetrieveNoteText.yaml', ['object: note', 'object: 7'])(spec)
  edited('resources/notes/paths/notes.yaml', ['tags: [Notes]', 'tags: [Note]'])(spec)
  const rules = report(await news())
    .split('\n')
    .map((line) => line.split('  ')[1])
  expect(rules.slice(0, 3)).toEqual(['✖ operation-tag-defined', '✖ descriptions', '✖ no-invalid-media-type-examples'])
})

test('lint warns of each operation newer than the last release until it has x-available', async () => {
  release(spec, ['createNote', 'listNotes', 'retrieveNote', 'updateNote', 'sendNoteAttachment'])
  const warnings = async (): Promise<string[]> =>
    (await news()).filter(({ rule, severity }) => rule === 'availability' && severity === 'warning').map(({ message }) => message)
  expect(await warnings()).toEqual([expect.stringMatching(/^listNoteChanges is newer than the last release/)])
  edited('resources/notes/paths/note_changes.yaml', ['  operationId: ', '  x-available: {}\n  operationId: '])(spec)
  expect(await warnings()).toEqual([])
})

test('lint reports unknown error codes in guides', async () => {
  mkdirSync(join(spec, 'guides'))
  writeFileSync(
    join(spec, 'guides/tides.md'),
    'Answers 404 `no_such_tide`.\n\n| 429 | `rate_limitd` |\n\n400 `validation_error`, `rate_limited`. The key `tide_table`.\n',
  )
  expect((await news()).map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    '1:13 The contract has no error code `no_such_tide`',
    '3:9 The contract has no error code `rate_limitd`, did you mean `rate_limited`?',
  ])
})
