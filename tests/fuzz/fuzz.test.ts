import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { minimize } from './minimize.ts'
import { scratchFolder } from '../harness/databases.ts'

it('the fuzzer keeps inputs that reach new branches, and records its processor time', async () => {
  const folder = scratchFolder('fuzz-')
  const main = join(import.meta.dirname, 'main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [
    main,
    'query',
    '--minutes',
    '0.02',
    '--seed',
    '1',
    '--folder',
    folder,
  ])
  expect(stdout).toMatch(/ [1-9]\d* of \d+ branches, [1-9]\d* inputs, 0 findings\nend\n$/)
  expect(readdirSync(join(folder, 'query/corpus')).length).toBeGreaterThan(4)
  expect(readFileSync(join(folder, 'log'), 'utf8')).toMatch(/^\S+Z query \d+\.\d s: /)
})

it('a finding is reduced to the smallest input that still fails', async () => {
  const fails = (text: string): Promise<boolean> => Promise.resolve(/a.*b/.test(text))
  expect(await minimize('xxaxxxxxxbxxxxx', fails)).toBe('ab')
})
