import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { scratchFolder } from '../../harness/databases.ts'
import { parseObject } from '../../harness/json.ts'
import { spawnProcess } from '../../harness/process.ts'
import { makeZip } from '../support/archives.ts'

const TEXTS = 12
const TEXT_LENGTH = 10_000_000
const RESIDENT_MB_MAX = 500

it('an import reads large texts one at a time: 12 of 10 MB in a small zip file need no more memory than a few', async () => {
  // Varied enough for the ratio that an archive may have.
  const text = Array.from({ length: TEXT_LENGTH / 10 }, (_word, index) => `w${(index * 7919) % 99_991} `.padEnd(10)).join('')
  const entries = Object.fromEntries(Array.from({ length: TEXTS }, (_text, index) => [`Text ${index}.md`, text]))
  const folder = scratchFolder('import-memory-')
  const words = ['workspace', 'import', await makeZip(entries), '--json', '--name', 'Large texts']
  const child = spawnProcess('server/cli.js', words, { DATABASE_URL: `sqlite:${folder}/db`, FILES_URL: `file:${folder}/files` })
  let peak = 0
  const timer = setInterval(() => {
    try {
      peak = Math.max(peak, Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024)
    } catch {
      // It has ended.
    }
  }, 100)
  expect(await child.ended, child.errors()).toMatchObject({ code: 0 })
  clearInterval(timer)
  expect(parseObject(child.output())).toMatchObject({ pages: TEXTS })
  expect(peak).toBeGreaterThan(0)
  expect(peak).toBeLessThan(RESIDENT_MB_MAX)
})
