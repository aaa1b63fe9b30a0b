/** Additions of `npm run new` pass every rule except that marked lines must be completed, and compile once the types are generated. */

import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { beginEverything, texts } from './support/scaffolded_tree.ts'
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

/** `file:line` of every incomplete line, found in the texts alone. */
function marked(folder: string, known: ReadonlyMap<string, string>): string[] {
  return [...texts(folder)].flatMap(([path, text]) =>
    text === known.get(path)
      ? []
      : text.split('\n').flatMap((line, index) => (line.includes('TODO:') ? [`${path}:${index + 1}`] : [])),
  )
}

/** `file:line` of every finding of lint, and its rules. */
function findings(report: string): { locations: string[]; rules: (string | undefined)[] } {
  const found = [...report.matchAll(/^(\S+?:\d+):\d+  [✖!] (\S+) /gm)]
  return {
    locations: found.map(([, location = '']) => location).toSorted(),
    rules: [...new Set(found.map(([, , rule]) => rule))],
  }
}

test('lint reports every TODO that `npm run new` adds, and nothing else', () => {
  const { code, out } = run(folder, 'scripts/lint.ts')
  const { locations, rules } = findings(out)
  expect(rules).toEqual(['unfinished'])
  expect(locations).toEqual(marked(folder, before).toSorted())
  expect(code).toBe(1)
})

test('generation succeeds with the files that `npm run new` adds', () => {
  expect(run(folder, 'scripts/generate.ts')).toMatchObject({ code: 0 })
})

test('the files that `npm run new` adds compile and are formatted', () => {
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
