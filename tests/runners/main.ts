/**
 * Runs the example for jest in the guide to testing, as a user has it: the built package in a folder of its own, and jest from the
 * registry, which it installs outside of the tree. The examples for vitest and Node's own runner run with `npm test`.
 * `npm run test:runners`
 */

import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { install } from '../clients/install.ts'
import { guideExample } from './guide_example.ts'

const root = resolve(import.meta.dirname, '../..')
const JEST = { package: 'jest', version: '30.5.2', beside: {} }

const { folder: jest } = await install(JEST)
const project = await mkdtemp(join(tmpdir(), 'service-runners-'))
try {
  const build = [join(root, 'scripts/build.ts'), '--out', join(project, 'node_modules/workspace-service'), '--docs', project]
  run(build, root)
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await writeFile(join(project, 'tide.test.js'), await guideExample('With jest'))
  run(['--experimental-vm-modules', join(jest, 'node_modules/jest/bin/jest.js'), '--rootDir', project], project)
} finally {
  await rm(project, { recursive: true })
}

function run(args: readonly string[], cwd: string): void {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
