/**
 * Installs the package that `npm run build` has built in an empty folder, without development dependencies, and fails if it is larger than
 * promised: `npm run test:package`.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const BYTES_MAX = 30_000_000
const dist = resolve(import.meta.dirname, '../../dist')
const project = mkdtempSync(join(tmpdir(), 'installed-size-'))

try {
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  const packed = run('npm', ['pack', '--silent', '--pack-destination', project, dist]).trim()
  run('npm', ['install', '--omit=dev', '--offline', '--no-audit', '--no-fund', '--silent', `./${packed}`])
  const installed = join(project, 'node_modules')
  // Without the reference, the package would be smaller than the published one.
  if (!existsSync(join(installed, 'workspace-service/docs.pack'))) throw new Error('The package has no reference.')
  const bytes = Number.parseInt(run('du', ['-sk', installed]), 10) * 1024
  console.log(`Installed, the package takes ${inMegabytes(bytes)} MB, of at most ${inMegabytes(BYTES_MAX)}.`)
  if (bytes > BYTES_MAX) process.exitCode = 1
} finally {
  rmSync(project, { recursive: true, force: true })
}

function run(command: string, words: readonly string[]): string {
  return execFileSync(command, words, { cwd: project, encoding: 'utf8' })
}

function inMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
