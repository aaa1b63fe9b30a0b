import { expect, it } from 'vitest'
import { scratchFolder } from '../../harness/databases.ts'
import { parseObject } from '../../harness/json.ts'
import { spawnWithPeakMemory } from '../../harness/peak_memory.ts'
import { lossesOf, makeZip } from '../support/archives.ts'

const TEXTS = 60
const TEXT_LENGTH = 2_500_000
/** Keeping the texts, or reading all of them at once, needs 150 MB more. */
const RESIDENT_MB_MAX = 330

it('an import that omits 60 large texts needs less than 330 MB of memory', async () => {
  // Varied enough for the allowed compression ratio. A single line, and so a single block, which no request can send.
  const text = Array.from({ length: TEXT_LENGTH / 10 }, (_word, index) => `w${(index * 7919) % 99_991} `.padEnd(10)).join('')
  const entries = Object.fromEntries(Array.from({ length: TEXTS }, (_text, index) => [`Text ${index}.md`, text]))
  const folder = scratchFolder('import-memory-')
  const words = ['workspace', 'import', await makeZip(entries), '--json', '--name', 'Large texts']
  const settings = { DATABASE_URL: `sqlite:${folder}/db`, FILES_URL: `file:${folder}/files` }
  const child = spawnWithPeakMemory('cli/main.js', words, settings)
  expect(await child.ended, child.errors()).toMatchObject({ code: 0 })
  const result = parseObject(child.output())
  expect(result).toMatchObject({ pages: TEXTS })
  expect(lossesOf(result).filter((loss) => loss.startsWith('block '))).toHaveLength(TEXTS)
  expect(child.peakMegabytes()).toBeLessThan(RESIDENT_MB_MAX)
})
