/** A bundle that takes up what was saved is the one that is made anew, byte for byte, whatever was saved. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { plantedFaults } from '../dev/planted_faults.ts'
import { readWithFaults } from '../../scripts/generate/contract.ts'
import { ContractFiles } from '../../scripts/generate/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'made-bundle-'))
const spec = join(folder, 'contract')
const root = join(spec, 'openapi.yaml')

beforeEach(() => {
  rmSync(spec, { recursive: true, force: true })
  cpSync(join(import.meta.dirname, 'fixtures/contract'), spec, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

async function read(files = new ContractFiles()) {
  files.forgetChanged()
  const { contract, faults } = await readWithFaults(root, files)
  return { text: JSON.stringify(contract?.document), faults }
}

const NOTE = 'resources/notes/schemas/NoteBase.yaml'

/** Saves after which a bundle need not be made anew, and others. */
const saves: readonly (readonly [title: string, file: string, from: string | RegExp, to: string])[] = [
  ['a description', NOTE, 'description: ', 'description: Saved. '],
  ['a property without a reference', NOTE, /\n {2}id:/, '\n  pinned: {type: boolean}\n  id:'],
  ['a reference that stands elsewhere', NOTE, /\n {2}id:/, '\n  other: {$ref: ../../../shared/schemas/IdResponse.yaml}\n  id:'],
  ['a name in a mapping', 'resources/notes/schemas/Note.yaml', 'list: ./ListNote', 'lists: ./ListNote'],
  ['a summary of an operation', 'resources/notes/paths/note.yaml', 'summary: ', 'summary: Saved. '],
  ['an answer less', 'resources/notes/paths/note_changes.yaml', / {4}'429': .*\n/, ''],
  ['a header that the table names', 'shared/headers/RequestIdHeader.yaml', 'description: ', 'description: Saved. '],
  ['a list of error answers', 'shared/errors/api.yaml', /'429': .*\n/, ''],
  ['the root file', 'openapi.yaml', 'title: ', 'title: Saved '],
  ['an example', 'resources/notes/examples/RetrieveNoteText.yaml', 'summary: ', 'summary: Saved. '],
]

test.each(saves)('%s', async (_title, file, from, to) => {
  const files = new ContractFiles()
  const path = join(spec, file)
  const before = await read(files)
  const text = readFileSync(path, 'utf8')
  expect(text.replace(from, to)).not.toBe(text)
  for (const saved of [text.replace(from, to), text]) {
    writeFileSync(path, saved)
    expect(await read(files)).toEqual(await read())
  }
  expect(await read(files)).toEqual(before)
})

test('faults that come and go', async () => {
  const files = new ContractFiles()
  await read(files)
  for (const { plant } of plantedFaults) {
    try {
      plant(spec)
    } catch {
      continue // another fault has taken its text
    }
    expect(await read(files)).toEqual(await read())
  }
})
