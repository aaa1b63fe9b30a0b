/**
 * Changes of generated/openapi.yaml since the last committed bundle of `main`, rated. Exit code 1 when one of them breaks callers,
 * unless allowed.
 *
 *     node scripts/diff.ts [--base main] [--allow]
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { changeReport, readChanges } from './diff/changes.ts'

const run = promisify(execFile)
const projectRoot = resolve(import.meta.dirname, '..')
const bundle = 'generated/openapi.yaml'
const maxBuffer = 256 * 1024 * 1024
const { values } = parseArgs({
  options: { base: { type: 'string', default: 'main' }, allow: { type: 'boolean', default: false } },
})

const folder = await mkdtemp(join(tmpdir(), 'diff-'))
try {
  const base = join(folder, 'base.yaml')
  const output = join(folder, 'diff.json')
  await writeFile(base, await committedBundle(values.base))
  const command = join(projectRoot, 'node_modules/@redocly/cli/bin/cli.js')
  const options = ['diff', base, bundle, '--config=scripts/redocly.diff.yaml', '--format=json', '--fail-on=none', '-o', output]
  await run(process.execPath, [command, ...options], {
    cwd: projectRoot,
    maxBuffer,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  const changes = readChanges(await readFile(output, 'utf8'))
  console.log(changeReport(changes, values.base))
  if (changes.some(({ rating }) => rating === 'breaking') && !values.allow) process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
} finally {
  await rm(folder, { recursive: true })
}

/** The bundle of a branch or commit. Throws a readable error when there is none. */
async function committedBundle(revision: string): Promise<string> {
  try {
    const { stdout } = await run('git', ['show', `${revision}:${bundle}`], { cwd: projectRoot, maxBuffer })
    return stdout
  } catch {
    throw new Error(`${revision} has no ${bundle} to compare with`)
  }
}
