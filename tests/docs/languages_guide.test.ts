import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { guideText } from '../languages/guide.ts'

// If you are here because they differ: `node tests/languages/guide.ts > spec/guides/10-other-languages.md`.
test('the guide on other languages has the recipes that `npm run test:languages` runs', async () => {
  const guide = join(resolve(import.meta.dirname, '../..'), 'spec/guides/10-other-languages.md')
  expect(await readFile(guide, 'utf8')).toBe(await guideText())
})
