/** What `npm run dev` has generated after some saves is what `npm run generate` makes of the last of them. */

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Generation, type News } from '../../scripts/dev/generation.ts'
import { generateInto } from '../../scripts/generate/write.ts'

const folder = mkdtempSync(join(tmpdir(), 'generation-'))
const spec = join(folder, 'spec')
const root = join(spec, 'openapi.yaml')
const out = join(folder, 'followed')
const news: News[] = []
let generation: Generation

beforeAll(() => {
  cpSync(join(import.meta.dirname, '../spec/fixtures/contract'), spec, { recursive: true })
  generation = new Generation({ root, out }, (one) => news.push(one))
})
afterAll(async () => {
  await generation.end()
  rmSync(folder, { recursive: true })
})

function edit(file: string, from: string, to: string): void {
  const path = join(spec, file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

async function told(is: News['is']): Promise<News> {
  return vi.waitUntil(() => news.find((one) => one.is === is), { timeout: 120_000 })
}

/** Follows what was saved to its end. */
async function follow(): Promise<void> {
  news.length = 0
  generation.begin()
  await told('forPrograms')
  generation.goOn()
  await told('all')
}

const filesIn = (where: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(where, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(where, name)).isFile())
      .toSorted()
      .map((name) => [name, readFileSync(join(where, name), 'utf8')]),
  )

async function generatedAnew(): Promise<ReadonlyMap<string, string>> {
  const anew = join(folder, 'anew')
  rmSync(anew, { recursive: true, force: true })
  await generateInto(anew, root, { isLinted: false })
  return filesIn(anew)
}

test('first what the mock and the service need is written, then the rest', async () => {
  generation.begin()
  expect(await told('forPrograms')).toMatchObject({ written: expect.any(Number) })
  const [validators, bundle] = ['validators.js', 'openapi.json'].map((name) => readFileSync(join(out, name), 'utf8'))
  expect(existsSync(join(out, 'types.ts'))).toBe(false)
  generation.goOn()
  await told('all')
  const anew = await generatedAnew()
  expect(filesIn(out)).toEqual(anew)
  expect([validators, bundle]).toEqual([anew.get('validators.js'), anew.get('openapi.json')])
})

const notes = 'resources/notes'

test.each([
  ['a description', () => edit(`${notes}/schemas/NoteBase.yaml`, 'description: ', 'description: Saved. ')],
  ['a limit', () => edit('shared/schemas/StringRequest.yaml', 'minLength: 1', 'minLength: 2')],
  ['an example', () => edit(`${notes}/examples/RetrieveNoteText.yaml`, 'summary: ', 'summary: Saved. ')],
  ['words of a release', () => edit('versions/2026-03-11.yaml', 'about: ', 'about: Saved. ')],
  ['another operationId', () => edit(`${notes}/paths/note_changes.yaml`, 'listNoteChanges', 'listNoteRevisions')],
  [
    'a schema with another name',
    () => {
      renameSync(join(spec, notes, 'schemas/NoteTextRequest.yaml'), join(spec, notes, 'schemas/NoteWordsRequest.yaml'))
      for (const user of ['TextNoteRequest', 'TextNoteUpdateRequest'])
        edit(`${notes}/schemas/${user}.yaml`, './NoteTextRequest.yaml', './NoteWordsRequest.yaml')
    },
  ],
])('after a save of %s, all is what it should be', async (_title, save) => {
  save()
  await follow()
  expect(filesIn(out)).toEqual(await generatedAnew())
})

test('a save in the midst of the work is followed, too', async () => {
  for (const word of ['one', 'two', 'three']) {
    edit(`${notes}/paths/note.yaml`, 'summary: ', `summary: ${word} `)
    news.length = 0
    generation.begin()
    if (word === 'two') await told('forPrograms')
  }
  await vi.waitUntil(() => readFileSync(join(out, 'openapi.json'), 'utf8').includes('three two one'), { timeout: 120_000 })
  await follow()
  expect(filesIn(out)).toEqual(await generatedAnew())
})

test('while the contract has faults, all stays as it is', async () => {
  const before = filesIn(out)
  edit(`${notes}/paths/note.yaml`, 'parameters/NoteId.yaml', 'parameters/Gone.yaml')
  news.length = 0
  generation.begin()
  edit(`${notes}/paths/note.yaml`, 'parameters/Gone.yaml', 'parameters/NoteId.yaml')
  await follow()
  expect(filesIn(out)).toEqual(before)
})

test('what the mock and the service need becomes what it was when the rest cannot be made, or is not awaited', async () => {
  await follow()
  const before = filesIn(out)
  edit(`${notes}/paths/note.yaml`, 'summary: ', 'summary: Ahead. ')
  edit('versions/2026-03-11.yaml', 'contract: []', 'contract: [{in: [Gone], remove: [name]}]')
  news.length = 0
  generation.begin()
  await told('forPrograms')
  expect(filesIn(out)).not.toEqual(before)
  generation.goOn()
  expect(await told('faults')).toMatchObject({ faults: [expect.stringContaining('does not fit')] })
  expect(filesIn(out)).toEqual(before)

  edit('versions/2026-03-11.yaml', 'contract: [{in: [Gone], remove: [name]}]', 'contract: []')
  news.length = 0
  generation.begin()
  expect(await told('forPrograms')).not.toMatchObject({ written: 0 })
  await generation.end()
  expect(filesIn(out)).toEqual(before)
})
