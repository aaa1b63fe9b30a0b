/** What lint says of this project's contract after one save after the other is what it says of the last state alone. */

import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWithFaults } from '../../scripts/generate/contract.ts'
import { ContractFiles } from '../../scripts/generate/files.ts'
import { Linter } from '../../scripts/lint/linter.ts'
import type { Problem } from '../../scripts/lint/problem.ts'
import { specFolder } from '../spec/support/files.ts'

/** Ways to damage a file. */
const DAMAGES: readonly (readonly [text: RegExp, by: string])[] = [
  [/^description: /m, 'x-was: '],
  [/type: string$/m, 'type: integer'],
  [/^( *)object: \w+$/m, '$1object: 7'],
  [/minLength: 1/, 'minLength: none'],
  [/additionalProperties: false/, 'additionalProperties: true'],
  [/const: (\w+)/, 'const: $1_again'],
  [/^( *)(?=\w+: .*)/m, '$1x-other: 1\n$1'],
  [/required: \[/, 'required: [nothing, '],
  [/enum: \[(\w+)/, 'enum: [$1, $1'],
]

const folder = mkdtempSync(join(tmpdir(), 'lint-of-the-contract-'))
const spec = join(folder, 'spec')
const root = join(spec, 'openapi.yaml')
const files = new ContractFiles()
let linter: Linter

beforeAll(async () => {
  cpSync(specFolder, spec, { recursive: true })
  linter = await Linter.load()
})
afterAll(() => rmSync(folder, { recursive: true }))

const words = (problems: readonly Problem[]): string[] => problems.map((problem) => JSON.stringify(problem)).toSorted()

async function afterSaves(): Promise<string[]> {
  files.forgetChanged()
  return words(await linter.problems(await readWithFaults(root, files)))
}

async function ofTheLast(): Promise<string[]> {
  return words(await (await Linter.load()).problems(await readWithFaults(root)))
}

/** For each damage, a file of another part of the contract. */
function damaged(): [file: string, text: string][] {
  const files = globSync('{shared,resources/*}/{schemas,examples,parameters,responses,paths,headers}/*.yaml', { cwd: spec })
    .filter((name) => !name.endsWith('answer_headers.yaml'))
    .toSorted()
    .map((name) => [join(spec, name), readFileSync(join(spec, name), 'utf8')] as const)
  return DAMAGES.map(([text, by], index): [string, string] => {
    const start = Math.floor((index * files.length) / DAMAGES.length)
    const found = [...files.slice(start), ...files].find(([, before]) => text.test(before))
    if (found === undefined) throw new Error(`No file has ${text}`)
    return [found[0], found[1].replace(text, by)]
  })
}

test('after several saves, each of which damages another file, and once all are mended', async () => {
  expect(await afterSaves()).toEqual([])
  const saves = damaged()
  const before = saves.map(([file]) => [file, readFileSync(file, 'utf8')] as const)
  let told: readonly string[] = []
  for (const [file, text] of saves) {
    writeFileSync(file, text)
    told = await afterSaves()
  }
  expect(told).not.toEqual([])
  expect(told).toEqual(await ofTheLast())
  for (const [file, text] of before) writeFileSync(file, text)
  expect(await afterSaves()).toEqual([])
}, 900_000)
