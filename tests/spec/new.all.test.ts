/**
 * What `npm run new` begins passes every rule but that what is marked has to be written, and compiles once the types have been generated.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { beginEverything, texts } from './support/begun_tree.ts'
import { workspaces } from '../../scripts/workspaces.ts'

let folder = ''
let before: ReadonlyMap<string, string>
beforeAll(() => {
  ;({ folder, before } = beginEverything())
})

/** Runs a program in a copy. */
function run(folder: string, script: string, ...args: string[]): { code: number | null; out: string; error: string } {
  const ran = spawnSync(process.execPath, [join(folder, script), ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return { code: ran.status, out: ran.stdout, error: ran.stderr }
}

/** `file:line` of every line that is still to be written, by the texts alone. */
function marked(folder: string, known: ReadonlyMap<string, string>): string[] {
  return [...texts(folder)].flatMap(([path, text]) =>
    text === known.get(path)
      ? []
      : text.split('\n').flatMap((line, index) => (line.includes('TODO:') ? [`${path}:${index + 1}`] : [])),
  )
}

/** `file:line` of every finding of lint, and its rules. */
function findings(report: string): { places: string[]; rules: (string | undefined)[] } {
  const found = [...report.matchAll(/^(\S+?:\d+):\d+  [✖!] (\S+) /gm)]
  return { places: found.map(([, place = '']) => place).toSorted(), rules: [...new Set(found.map(([, , rule]) => rule))] }
}

test('lint reports every TODO, and nothing else', () => {
  const { code, out } = run(folder, 'scripts/lint.ts')
  const { places, rules } = findings(out)
  expect(rules).toEqual(['unfinished'])
  expect(places).toEqual(marked(folder, before).toSorted())
  expect(code).toBe(1)
})

test('the new files can be generated from', () => {
  expect(run(folder, 'scripts/generate.ts')).toMatchObject({ code: 0 })
})

test('the new files compile and are formatted', () => {
  expect(run(folder, 'node_modules/typescript-native/bin/tsc', '-p', '.', '--pretty', 'false')).toMatchObject({
    out: '',
    code: 0,
  })
  expect(
    execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', '--check', 'spec', 'tests', ...workspaces], {
      cwd: folder,
    }).toString(),
  ).toContain('All matched files use the correct format')
})
