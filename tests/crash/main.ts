/**
 * Runs the tests that kill processes (SIGKILL) at random points on both engines, with many more kills than in the test suite: `npm run
 * test:crash`. `-- --kills 10` kills less often; `-- jobs sessions` runs only the tests with these words in their name, `-- --engine
 * sqlite` only those of one engine.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const { values, positionals } = parseCommandLine(import.meta.filename, {
  options: { kills: { type: 'string', default: '50' }, engine: { type: 'string' } },
  allowPositionals: true,
})
const all = globSync(['tests/events/kill.test.ts', 'tests/process/kill*.test.ts'], { cwd: ROOT })
const files = positionals.length === 0 ? all : all.filter((file) => positionals.some((word) => file.includes(word)))
if (files.length === 0) throw new Error(`There are ${all.join(', ')}.`)
const engine = values.engine === undefined ? [] : [`--project=${values.engine}`]
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--mode=all', ...engine, ...files], {
  cwd: ROOT,
  env: { ...process.env, KILLS: values.kills },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
