/** What `npm run generate` does with a contract that has faults: it tells all of them, and where they are, and writes nothing. */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { faultsIn } from '../../scripts/generate/faults.ts'
import { generateInto } from '../../scripts/generate/write.ts'

const folder = mkdtempSync(join(tmpdir(), 'generate-test-'))
const spec = join(folder, 'contract')
const out = join(folder, 'made')
const notes = join(spec, 'resources/notes')

beforeEach(() => cpSync(join(import.meta.dirname, 'fixtures/contract'), spec, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true }))

const root = join(spec, 'openapi.yaml')
const named = (file: string): string => relative(process.cwd(), join(spec, file))

const faultsOf = (): Promise<readonly string[]> => generateInto(out, root).then(() => [], faultsIn)

function edit(file: string, change: (text: string) => string): void {
  const path = join(spec, file)
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  expect(changed, file).not.toBe(text)
  writeFileSync(path, changed)
}

const filesIn = (where: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(where, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.'))
      .map((name) => [name, readFileSync(join(where, name), 'utf8')]),
  )

test('faults that several generators find are told at once, and what had been made stays byte for byte', async () => {
  expect(await faultsOf()).toEqual([])
  const before = filesIn(out)
  expect(before.size).toBeGreaterThan(10)

  edit('resources/notes/paths/note.yaml', (text) => text.replace('summary: ', 'summary: Changed. '))
  edit('resources/notes/paths/notes.yaml', (text) => text.replace(/\n +examples:\n(?: +\w+: .*\n)+/, '\n'))
  edit('resources/notes/schemas/EmptyNoteRequest.yaml', (text) => text.replace('additionalProperties: false\n', ''))
  edit('shared/schemas/ValidationError.yaml', (text) => text.replace('const: validation_error', 'minLength: 1'))
  const faults = await faultsOf()
  for (const fault of ['has no example', 'must be a closed object', 'needs a constant code'])
    expect(faults).toContainEqual(expect.stringContaining(fault))
  expect(filesIn(out)).toEqual(before)
  expect(readdirSync(folder).toSorted()).toEqual(['contract', 'made'])
})

test('every broken reference and every file that is no YAML is told with its file and line', async () => {
  edit('resources/notes/paths/note.yaml', (text) => text.replace(/parameters\/NoteId.yaml/, 'parameters/Gone.yaml'))
  edit('resources/notes/examples/UpdateNoteText.yaml', (text) => `${text}\n: [`)
  expect(await faultsOf()).toEqual([
    expect.stringMatching(`^${named('resources/notes/paths/note.yaml')}:2:5  .*Gone.yaml`),
    expect.stringMatching(`^${named('resources/notes/examples/UpdateNoteText.yaml')}:\\d+:\\d+  `),
  ])
})

test('a copy of a file under the name that it had is told with both files', async () => {
  cpSync(join(notes, 'schemas/TextNote.yaml'), join(spec, 'shared/schemas/TextNote.yaml'))
  edit('shared/schemas/TextNote.yaml', (text) => text.replace('description: ', 'description: A copy. '))
  edit('resources/notes/schemas/NoteRequest.yaml', (text) => `${text}\nx-copy: {$ref: ../../../shared/schemas/TextNote.yaml}\n`)
  const [original, copy] = [named('resources/notes/schemas/TextNote.yaml'), named('shared/schemas/TextNote.yaml')]
  expect(await faultsOf()).toEqual([`${copy}  The name is that of ${original}; names are unique.`])
})
