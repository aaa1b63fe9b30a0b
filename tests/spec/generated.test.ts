/** The sources reproduce generated/ exactly. */

import { spawnSync } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { bundleContract } from '../../scripts/generate/contract.ts'
import { generate } from '../../scripts/generate/generate.ts'
import { isCommitted } from '../../scripts/generate/uncommitted.ts'
import { withList } from '../../scripts/generate/write.ts'
import { isLongRun } from '../harness/long_runs.ts'
import { projectRoot, specFolder } from './support/files.ts'

// If you are here because files are listed: run `npm run generate` and commit the files that it writes and removes.
test('generated files are up to date (run `npm run generate`)', async () => {
  const contract = await bundleContract(join(specFolder, 'openapi.yaml'))
  // Each run begins with `generate --if-stale`, which rebuilds the dated contracts after changes.
  const files = withList(await generate(contract, { isOfNewest: !isLongRun }))
  const isMade = (name: string): boolean => isLongRun || !name.startsWith('versions/')
  const outdated: string[] = []
  for (const [name, text] of Object.entries(files)) {
    const found = await readFile(join(projectRoot, 'generated', name), 'utf8').catch(() => '')
    const committed = name === 'files.txt' ? found.split('\n').filter(isMade).join('\n') : found
    if (committed !== text) outdated.push(name)
  }
  expect(outdated).toEqual([])
  const folder = join(projectRoot, 'generated')
  const committed = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = committed
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((name) => name !== '.made_of' && isMade(name))
  expect(names.toSorted()).toEqual(Object.keys(files).toSorted())
})

test('files that are not committed are ignored by git', async () => {
  const names = (await readFile(join(projectRoot, 'generated/files.txt'), 'utf8')).trim().split('\n')
  const paths = names.map((name) => `generated/${name}`).join('\n')
  const { stdout } = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], {
    cwd: projectRoot,
    input: paths,
    encoding: 'utf8',
  })
  expect(names.filter((name) => !isCommitted(name)).map((name) => `generated/${name}`)).toEqual(stdout.trim().split('\n'))
})

test('equal sources generate equal texts', async () => {
  const fixture = join(import.meta.dirname, 'fixtures/contract/openapi.yaml')
  const make = async () => generate(await bundleContract(fixture))
  expect(await make()).toEqual(await make())
})
