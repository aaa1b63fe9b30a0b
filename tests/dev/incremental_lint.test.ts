/** `npm run dev` lints what has changed, and says the same as `npm run lint`, which reads everything again. */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { LiveSite } from '../../scripts/dev/site.ts'
import { Rounds } from '../../scripts/dev/rounds.ts'
import { lintContract } from '../../scripts/lint/lint.ts'
import { Linter } from '../../scripts/lint/linter.ts'
import { report } from '../../scripts/lint/report.ts'
import { projectRoot } from '../spec/support/files.ts'
import { plantedFaults } from './planted_faults.ts'

const fixture = join(import.meta.dirname, '../spec/fixtures/contract')
const folder = mkdtempSync(join(tmpdir(), 'incremental-'))
const spec = join(folder, 'spec')
const root = join(spec, 'openapi.yaml')
let said = ''
let rounds: Rounds
/** What both say of the contract as it is. */
let before: readonly string[] = []

beforeAll(async () => {
  cpSync(fixture, spec, { recursive: true })
  const [linter, site] = await Promise.all([Linter.load(), LiveSite.make(folder, '')])
  rounds = new Rounds({ root, linter, site, say: (text) => (said += `${text}\n`), read() {}, shown() {} })
  before = await found()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** `file  finding` of each finding in a report. */
function findings(text: string): string[] {
  let file = ''
  const found: string[] = []
  for (const line of text.split('\n')) {
    if (/^ {2}[✖!] /.test(line)) found.push(`${file}${line}`)
    else file = line
  }
  return found.toSorted()
}

/** What `npm run dev` says after a save. */
async function incrementally(): Promise<string[]> {
  said = ''
  await rounds.work()
  return findings(said)
}

/** What `npm run lint` says, without what it says of older releases alone and of the style of the YAML, which editors apply. */
async function entirely(): Promise<string[]> {
  const problems = await lintContract(root)
  return findings(report(problems.filter(({ message, tool }) => tool !== 'format' && !message.startsWith('As of '))))
}

async function found(): Promise<readonly string[]> {
  const told = await incrementally()
  expect(told).toEqual(await entirely())
  return told
}

/** Makes the contract what it was, touching only what differs. */
function mend(): void {
  const names = new Set([fixture, spec].flatMap((one) => readdirSync(one, { recursive: true, encoding: 'utf8' })))
  for (const name of names) {
    const [was, is] = [join(fixture, name), join(spec, name)].map(textOf)
    if (was === undefined) rmSync(join(spec, name))
    else if (was !== is) cpSync(join(fixture, name), join(spec, name))
  }
}

/** Undefined if there is no such file; empty for a folder. */
function textOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true ? readFileSync(path, 'utf8') : stats && ''
}

// If you are here because a rule is missing: plant a fault that it finds in planted_faults.ts.
test('there is a fault for every rule of the project', () => {
  const { rules } = parse(readFileSync(join(projectRoot, '.spectral.yaml'), 'utf8')) as { readonly rules: object }
  const planted = new Set(plantedFaults.map(({ rule }) => rule))
  expect(Object.keys(rules).filter((rule) => !planted.has(rule))).toEqual([])
})

test.each(plantedFaults)('$rule: $title', async ({ rule, plant }) => {
  plant(spec)
  const told = await found()
  expect(told.filter((one) => !before.includes(one))).toContainEqual(expect.stringMatching(`[✖!] ${rule} `))
  // A save that has nothing to do with it does not hide it.
  expect(await incrementally()).toEqual(told)
  mend()
  expect(await incrementally()).toEqual(before)
})

test('faults that are planted one after the other are all reported, and none once all are fixed', async () => {
  const together = plantedFaults.filter(({ plant }) => {
    try {
      plant(spec)
      return true
    } catch {
      return false // another fault has taken its text
    }
  })
  expect(together.length).toBeGreaterThan(30)
  await found()
  mend()
  expect(await found()).toEqual(before)
})
