/** generated/ is what the sources give, always the same. */

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readContract } from '../../scripts/generate/contract.ts'
import { generate } from '../../scripts/generate/generate.ts'
import { projectRoot, specFolder } from './support/files.ts'

// If you are here because files are listed: run `npm run generate` and commit what it writes.
test('generated files are up to date; run `npm run generate` where they are not', async () => {
  const files = await generate(await readContract(join(specFolder, 'openapi.yaml')))
  const outdated: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const committed = await readFile(join(projectRoot, 'generated', name), 'utf8').catch(() => '')
    if (committed !== text) outdated.push(name)
  }
  expect(outdated).toEqual([])
  const committed = await readdir(join(projectRoot, 'generated'), { recursive: true })
  expect(committed.filter((name) => name !== 'versions').toSorted()).toEqual(Object.keys(files).toSorted())
})

test('the same sources give the same texts', async () => {
  const fixture = join(import.meta.dirname, 'fixtures/contract/openapi.yaml')
  const make = async () => generate(await readContract(fixture))
  expect(await make()).toEqual(await make())
})
