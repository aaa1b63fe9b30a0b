/** Files of `generated/` that are not reviewed. They are not committed, but generated when they are missing or older than their sources. */

import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const UNCOMMITTED = [
  'versions/**',
  'collections/**',
  'validators.js',
  'example_responses.js',
  'openapi.json',
  'openapi.server.json',
  'openapi.mock.yaml',
  'control.json',
  'control.server.json',
  'console.json',
  'console.server.json',
]

/** Whether a file of `generated/` is committed. @param name its path below the folder */
export const isCommitted = (name: string): boolean =>
  !UNCOMMITTED.some((pattern) => (pattern.endsWith('/**') ? name.startsWith(pattern.slice(0, -2)) : name === pattern))

/**
 * The sources of the files: the contract and the generators. Modules of the server that these import rarely change the result; a test
 * detects it.
 */
const SOURCES = ['spec/**/*.{yaml,md}', 'scripts/generate/**/*.ts', 'package-lock.json']

/** Identifies the sources that the files were generated from. */
const STAMP = 'generated/.made_of'

/** Whether a file that is not committed is missing, or was generated from other sources. */
export function isStale(root: string): boolean {
  const files = readFileSync(join(root, 'generated/files.txt'), 'utf8').trim().split('\n')
  const stamp = join(root, STAMP)
  return (
    !existsSync(stamp) ||
    readFileSync(stamp, 'utf8') !== stateOf(root) ||
    !files.every((name) => existsSync(join(root, 'generated', name)))
  )
}

/** Records that the files are generated from the current sources. */
export function markFresh(root: string): void {
  writeFileSync(join(root, STAMP), stateOf(root))
}

function stateOf(root: string): string {
  const names = globSync(SOURCES, { cwd: root }).toSorted()
  return hash('sha256', names.map((name) => `${name} ${hash('sha256', readFileSync(join(root, name)))}`).join('\n'))
}
