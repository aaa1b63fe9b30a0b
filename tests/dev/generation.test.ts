/** After several saves, `npm run dev` has generated the same files as `npm run generate` does for the last save. */

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Generation } from '../../scripts/dev/generation.ts'
import { generateInto } from '../../scripts/generate/write.ts'
import { inLongRuns } from '../harness/long_runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'generation-'))
const spec = join(folder, 'spec')
const root = join(spec, 'openapi.yaml')
const out = join(folder, 'followed')
const notes = 'resources/notes'
let output = ''
let restarts: { readonly hasTypes: boolean }[] = []
let generation: Generation

beforeAll(() => {
  cpSync(join(import.meta.dirname, '../spec/fixtures/contract'), spec, { recursive: true })
  generation = new Generation({
    root,
    out,
    say: (text) => (output += `${text}\n`),
    async restart() {
      restarts.push({ hasTypes: existsSync(join(out, 'types.ts')) })
    },
  })
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

/** Waits until a save is processed. */
async function follow(end: RegExp = /files have changed/): Promise<void> {
  output = ''
  restarts = []
  generation.begin()
  await vi.waitUntil(() => end.test(output), { timeout: 120_000 })
}

const filesIn = (where: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(where, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(where, name)).isFile())
      .toSorted()
      .map((name) => [name, readFileSync(join(where, name), 'utf8')]),
  )

async function regenerated(): Promise<ReadonlyMap<string, string>> {
  const again = join(folder, 'again')
  rmSync(again, { recursive: true, force: true })
  await generateInto(again, root, { isLinted: false })
  return filesIn(again)
}

test('a generation first writes what the mock and the service need, starts both, and then writes the rest', async () => {
  await follow()
  expect(restarts).toEqual([{ hasTypes: false }])
  expect(filesIn(out)).toEqual(await regenerated())
})

inLongRuns(test)('a generation does not restart the mock and the service after a save that does not affect them', async () => {
  edit('versions/2026-03-11.yaml', 'about: ', 'about: Saved. ')
  await follow()
  expect(filesIn(out)).toEqual(await regenerated())
})

inLongRuns(test)('a generation includes files saved while it runs', async () => {
  for (const word of ['one', 'two', 'three']) {
    edit(`${notes}/paths/note.yaml`, 'summary: ', `summary: ${word} `)
    await follow(word === 'three' ? undefined : /^/)
  }
  expect(filesIn(out)).toEqual(await regenerated())
})

test('a generation writes nothing while the contract has faults, and reports the faults', async () => {
  const before = filesIn(out)
  edit(`${notes}/paths/note.yaml`, 'parameters/NoteId.yaml', 'parameters/Gone.yaml')
  await follow(/Gone\.yaml[^]*Nothing was written/)
  expect(filesIn(out)).toEqual(before)
  expect(restarts).toEqual([])
  edit(`${notes}/paths/note.yaml`, 'parameters/Gone.yaml', 'parameters/NoteId.yaml')
})

inLongRuns(test)('a generation reports outdated files when only the mock and the service can be updated', async () => {
  edit(`${notes}/paths/note.yaml`, 'summary: ', 'summary: Ahead. ')
  edit('versions/2026-03-11.yaml', 'contract: []', 'contract: [{in: [Gone], remove: [name]}]')
  await follow(/does not fit[^]*is current for the mock and the service only/)
  expect(restarts).toHaveLength(1)
  expect(readFileSync(join(out, 'openapi.json'), 'utf8')).toContain('Ahead. ')
})
