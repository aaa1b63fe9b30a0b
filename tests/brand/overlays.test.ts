/** Unusable overlays: each fault is reported with file, line and column, and no file is written. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Brand } from '../../scripts/brand/brand.ts'
import { faultsIn } from '../../scripts/generate/faults.ts'
import type { Document } from '../../scripts/generate/document.ts'
import { projectRoot } from '../spec/support/files.ts'

let folder = ''
let contract: Document
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overlays-test-'))
  contract = JSON.parse(await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8'))
})
afterAll(() => rm(folder, { recursive: true }))

const HEAD = `overlay: 1.0.0
info: {title: Acme, version: 1.0.0}
`
const BRAND = `x-brand: {name: Acme, word: Acme}
`
const ACTIONS = `actions:
  - target: $.servers[0]
    update: {url: https://acme.example}
`

/** The faults reported for an overlay, without the name of its file. */
async function complaints(text: string): Promise<string[]> {
  const file = join(folder, 'brand.yaml')
  await writeFile(file, text)
  const faults = await Brand.read(file)
    .then((brand) => brand.apply([contract]))
    .then(
      () => [],
      (error: unknown) => faultsIn(error),
    )
  return faults.map((fault) => fault.replace(relative(process.cwd(), file), 'brand.yaml'))
}

const action = (lines: string): string => `${HEAD}${BRAND}${ACTIONS}${lines}`
const brand = (lines: string): string => `${HEAD}x-brand:\n${lines}${ACTIONS}`

it.each<[what: string, text: string, ...faults: string[]]>([
  [
    'a file that is not YAML',
    `${HEAD}actions: [`,
    'brand.yaml:3:11  Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['a repeated field', `${HEAD}${BRAND}${BRAND}`, 'brand.yaml:4:1  Map keys must be unique'],
  [
    'an unsupported version',
    `overlay: 2.0.0${HEAD.slice(14)}${BRAND}${ACTIONS}`,
    'brand.yaml:1:1  overlay should be a version of OpenAPI Overlay 1.0, such as 1.0.0, instead was "2.0.0".',
  ],
  ['an unknown field', `${HEAD}${BRAND}color: red\n${ACTIONS}`, 'brand.yaml:4:1  color is not a valid field here.'],
  [
    'an unknown field of an action',
    action('  - target: $.info\n    updte: {}\n'),
    'brand.yaml:8:5  updte is not a valid field here.',
  ],
  [
    'an unknown field of the brand',
    brand('  name: Acme\n  word: Acme\n  color: red\n'),
    'brand.yaml:6:3  color is not a valid field here.',
  ],
  [
    'a missing name',
    brand('  word: Acme\n'),
    'brand.yaml:3:1  x-brand must have required property \'name\', instead was {"word":"Acme"}.',
  ],
  [
    'an invalid word',
    brand('  name: Acme\n  word: acme co\n'),
    'brand.yaml:5:3  x-brand.word should be one capitalized word, such as Acme, instead was "acme co".',
  ],
  ['an action without an effect', action('  - target: $.info\n'), 'brand.yaml:7:5  The action has neither update nor remove.'],
  [
    'a target that matches nothing',
    action("  - target: $.paths['/v1/usrs']\n    remove: true\n"),
    "brand.yaml:7:5  Nothing in the contract matches $.paths['/v1/usrs'].",
  ],
  [
    'a value of another kind',
    action('  - target: $.info\n    update: Acme\n'),
    "brand.yaml:8:5  Its type differs from that of $['info'].",
  ],
  [
    'the removal of the whole contract',
    action('  - target: $\n    remove: true\n'),
    'brand.yaml:7:5  The whole contract cannot be removed.',
  ],
  [
    'the removal of a schema in use',
    action('  - target: $.components.schemas.Color\n    remove: true\n'),
    'brand.yaml:7:5  #/components/schemas/Annotations/properties/color refers to what $.components.schemas.Color removes.',
  ],
  [
    'an unknown operation',
    action('  - target: $.paths\n    update: {/v1/ships: {get: {operationId: listShips, tags: [], responses: {}}}}\n'),
    'brand.yaml:1:1  This action would add the operation GET /v1/ships, which the service does not have.',
  ],
  [
    'the removal of every server',
    action('  - target: $.servers[*]\n    remove: true\n'),
    'brand.yaml:4:1  After these actions, the first server has no absolute address.',
  ],
  [
    'an id that requests contain',
    brand('  name: Acme\n  word: Acme\n  ids: {page_size: size}\n'),
    'brand.yaml:6:9  page_size is neither an operation nor a prefix that ends with an underscore.',
  ],
  [
    'a pale color',
    brand("  name: Acme\n  word: Acme\n  colours: {light: '#9ab8ff', dark: '#7bb8f5'}\n"),
    'brand.yaml:6:13  #9ab8ff has a contrast of 1.8 to the light page; readers need 4.5.',
  ],
  [
    'missing files',
    brand('  name: Acme\n  word: Acme\n  logo: no.svg\n  guides: {folder: none}\n'),
    'brand.yaml:6:3  The file no.svg does not exist.',
    'brand.yaml:7:12  The folder none contains no guides.',
  ],
])('an overlay is refused for %s', async (_what, text, ...faults) => {
  expect(await complaints(text)).toEqual(faults)
})

it('an overlay is refused for a target that is not a JSONPath', async () => {
  expect(await complaints(action('  - target: $.paths[\n    remove: true\n'))).toEqual([
    expect.stringMatching(/^brand\.yaml:7:5 {2}\$\.paths\[ is not a JSONPath: Expected /),
  ])
})

it('an overlay is refused with several faults at once', async () => {
  const wrong = action('  - target: $.nowhere\n    remove: true\n  - target: $.infos\n    update: {}\n')
  expect(await complaints(wrong)).toHaveLength(2)
})

it.each(['Acme Workspace Service', 'Work', 'S'])(
  'a brand can be called %s, even if its name overlaps with that of the default brand',
  async (name) => {
    const file = join(folder, 'brand.yaml')
    await writeFile(file, brand(`  name: ${name}\n  word: Acme\n`))
    const { words } = await (await Brand.read(file)).apply([contract])
    const texts = [
      'Workspace service',
      'A page of the workspace service.',
      name,
      'Send `Service-Version` to https://workspace.example/v1.',
    ]
    expect(texts.map(words.text)).toEqual([name, `A page of ${name}.`, name, 'Send `Acme-Version` to https://acme.example/v1.'])
  },
)

it('an overlay removes every item that its target matches, including several items of one list', async () => {
  const file = join(folder, 'brand.yaml')
  const tags = (contract.tags ?? []).length
  await writeFile(file, action('  - target: $.tags[0,1,2]\n    remove: true\n'))
  const { document } = await (await Brand.read(file)).apply([contract])
  expect(document.tags).toEqual((contract.tags ?? []).slice(3))
  expect(document.tags).toHaveLength(tags - 3)
})
