/** Each npm script of this project has `--help`, and refuses unknown arguments in one line. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../spec/support/files.ts'

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
const programs = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^node (?:--\S+ )*((?:scripts|tests|bench)\/\S+\.ts)$/.exec(command) ?? []
  return file === undefined ? [] : [{ name, file }]
})

const run = (file: string, word: string) =>
  spawnSync(process.execPath, [join(projectRoot, file), word], { encoding: 'utf8', timeout: 120_000 })

test('npm run offers more than fifteen programs with options', () => expect(programs.length).toBeGreaterThan(15))

test.each(programs)('npm run $name prints its help and refuses unknown options', { timeout: 300_000 }, ({ file }) => {
  const help = run(file, '--help')
  expect(help).toMatchObject({ status: 0, stderr: '' })
  expect(help.stdout).toMatch(/\w{3}/)
  const refused = run(file, '--nothing-of-the-kind')
  expect(refused.status).toBeGreaterThan(0)
  expect(refused.stderr).toContain("'--nothing-of-the-kind'")
  expect(refused.stderr).not.toMatch(/^ {4}at /m)
})
