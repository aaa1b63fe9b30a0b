/** Each rule of lint finds the fault that it is for, in the contract of notes. */

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readWithFaults } from '../../scripts/generate/contract.ts'
import { Linter } from '../../scripts/lint/linter.ts'
import type { Problem } from '../../scripts/lint/problem.ts'
import { projectRoot } from './support/files.ts'
import { plantedFaults } from './support/planted_faults.ts'

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

async function found(): Promise<readonly Problem[]> {
  return linter.problems(await readWithFaults(join(spec, 'openapi.yaml')))
}

// If you are here because a rule is missing: plant a fault that it finds in planted_faults.ts.
test('there is a fault for every rule of the project', () => {
  const { rules } = parse(readFileSync(join(projectRoot, '.spectral.yaml'), 'utf8')) as { readonly rules: object }
  const planted = new Set(plantedFaults.map(({ rule }) => rule))
  expect(Object.keys(rules).filter((rule) => !planted.has(rule))).toEqual([])
})

test.each(plantedFaults)('$rule: $title', async ({ rule, plant }) => {
  plant(spec)
  const known = new Set(before.map((problem) => JSON.stringify(problem)))
  const told = (await found()).filter((problem) => !known.has(JSON.stringify(problem)))
  expect(told).toContainEqual(expect.objectContaining({ rule }))
})
