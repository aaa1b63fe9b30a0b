/**
 * The files of `generated/` that nobody reviews. They are not committed, but made when they are missing or older than what they are made of.
 */

import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const UNCOMMITTED = [
  'versions/**',
  'collections/**',
  'validators.js',
  'example_answers.js',
  'openapi.json',
  'openapi.server.json',
  'openapi.mock.yaml',
  'control.json',
  'control.server.json',
]

/** Whether a file of `generated/` is committed. @param name its path below the folder */
export const isCommitted = (name: string): boolean =>
  !UNCOMMITTED.some((pattern) => (pattern.endsWith('/**') ? name.startsWith(pattern.slice(0, -2)) : name === pattern))

/** What the files are made of: the contract, and the code that makes them. What that imports from the server changes them rarely: a test tells. */
const SOURCES = ['spec/**/*.{yaml,md}', 'scripts/generate/**/*.ts', 'package-lock.json']

/** Beside the files, identifies what they were made of. */
const STAMP = 'generated/.made_of'

/** Whether a file that is not committed is missing, or was made of something else. */
export function isStale(root: string): boolean {
  const files = readFileSync(join(root, 'generated/files.txt'), 'utf8').trim().split('\n')
  const stamp = join(root, STAMP)
  return (
    !existsSync(stamp) ||
    readFileSync(stamp, 'utf8') !== stateOf(root) ||
    !files.every((name) => existsSync(join(root, 'generated', name)))
  )
}

/** Notes that the files are made of what is there now. */
export function markFresh(root: string): void {
  writeFileSync(join(root, STAMP), stateOf(root))
}

function stateOf(root: string): string {
  const names = globSync(SOURCES, { cwd: root }).toSorted()
  return hash('sha256', names.map((name) => `${name} ${hash('sha256', readFileSync(join(root, name)))}`).join('\n'))
}
