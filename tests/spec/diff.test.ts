/** The change report, on the words of Redocly itself. */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeReport, readChanges } from '../../scripts/diff/changes.ts'
import { bundle } from '../../scripts/generate/bundle.ts'
import type { Document } from '../../scripts/generate/document.ts'
import { publicDocument } from '../../scripts/generate/public.ts'
import { projectRoot } from './support/files.ts'

let folder = ''
let fixture: Document

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-test-'))
  fixture = publicDocument(await bundle(join(import.meta.dirname, 'fixtures/contract/openapi.yaml')))
})

afterAll(() => rm(folder, { recursive: true }))

async function reportOf(change: (document: Document) => void): Promise<string> {
  const changed = structuredClone(fixture)
  change(changed)
  const [base, revision, output] = ['base.json', 'revision.json', 'diff.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(base, JSON.stringify(fixture))
  await writeFile(revision, JSON.stringify(changed))
  const command = join(projectRoot, 'node_modules/@redocly/cli/bin/cli.js')
  const options = [
    'diff',
    base,
    revision,
    `--config=${join(projectRoot, 'scripts/redocly.diff.yaml')}`,
    '--format=json',
    '--fail-on=none',
    '-o',
    output,
  ]
  await promisify(execFile)(process.execPath, [command, ...options])
  return changeReport(readChanges(await readFile(output, 'utf8')), 'main')
}

test('says so when nothing changed', async () => {
  expect(await reportOf(() => {})).toBe('No changes since main.')
})

test('rates a lost value, a new operation and new words', async () => {
  const report = await reportOf((document) => {
    document.components.schemas?.['Color']?.enum?.pop()
    const notes = document.paths['/v1/notes']
    if (notes?.get) notes.get.description = 'Other words.'
    if (notes?.get) document.paths['/v1/others'] = { get: { ...notes.get, operationId: 'listOthers' } }
  })
  expect(report).toMatch(/^breaking {6}Color enum .*lost values: 'blue'/m)
  expect(report).toMatch(/^non-breaking {2}\/v1\/others /m)
  expect(report).toMatch(/^docs only {5}\/v1\/notes get description /m)
  expect(report).toMatch(/Since main: 1 breaking, 1 non-breaking, 1 docs only$/)
})
