import { readFile } from 'node:fs/promises'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { beforeAll, describe, expect, it } from 'vitest'
import { importRules, moduleOf, layersOf, tableOfModules, tableOfLayers } from './layers.ts'
import { workspaces } from '../../scripts/workspaces.ts'

const PROJECT = ['scripts', ...workspaces]
const OPTIONS = { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' }, tsConfig: { fileName: 'tsconfig.json' } }

describe('the source tree', () => {
  let result: ICruiseResult
  beforeAll(async () => {
    const { output } = await cruise([...PROJECT], {
      ...OPTIONS,
      validate: true,
      ruleSet: { forbidden: importRules() },
    })
    result = output as ICruiseResult
  })

  it('has imports, including those of types, in one direction only and without cycles', () => {
    expect(result.modules.length).toBeGreaterThan(60)
    // If you are here because an import is listed: move the shared code to a layer that both may import; see layers.json.
    expect(result.summary.violations.map(({ rule, from, to }) => `${from} -> ${to}: ${rule.name}`)).toEqual([])
  })

  it('replaces the source of random numbers only in the test kit', async () => {
    const files = result.modules.map(({ source }) => source).filter((file) => /^(server|testkit)\/.*\.ts$/.test(file))
    const replacing: string[] = []
    for (const file of files) if ((await readFile(file, 'utf8')).includes('drawRandomFrom')) replacing.push(file)
    expect(replacing.toSorted()).toEqual(['server/kernel/random.ts', 'testkit/src/seeded_random.ts'])
  })

  it('assigns every file to exactly one layer', () => {
    const files = result.modules
      .map(({ source }) => source)
      .filter((file) => new RegExp(`^(${[...PROJECT, 'generated'].join('|')})/`).test(file))
    expect(files.filter((file) => layersOf(file).length !== 1)).toEqual([])
  })

  it('assigns every file of the domain to a module', () => {
    const files = result.modules.map(({ source }) => source).filter((file) => file.startsWith('server/domain/'))
    expect(files.filter((file) => moduleOf(file) === undefined)).toEqual([])
  })
})

it('the tables of folders and modules in CONTRIBUTING.md match layers.json', async () => {
  // If you are here because they differ: change layers.json, and paste the expected table into CONTRIBUTING.md.
  const text = await readFile('CONTRIBUTING.md', 'utf8')
  expect(text).toContain(tableOfLayers())
  expect(text).toContain(tableOfModules())
})
