/** Schemas of families: declared once, complete in the bundle, and with faults located at their declarations. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { bundle as bundleByRedocly, createConfig } from '@redocly/openapi-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { bundleContract } from '../../scripts/generate/contract.ts'
import { faultsIn } from '../../scripts/generate/faults.ts'
import type { ResponseObject } from '../../scripts/generate/document.ts'
import { ContractFiles } from '../../scripts/generate/files.ts'
import { SourceMap } from '../../scripts/generate/source_map.ts'
import { projectRoot } from './support/files.ts'

const folder = mkdtempSync(join(tmpdir(), 'families-test-'))
const root = join(folder, 'openapi.yaml')
const family = join(folder, 'families/marks')

const FILES = {
  'family.yaml': `members:
  - $ref: ./gold_star.yaml
  - $ref: ./seal.yaml
unions:
  - $ref: ./unions/marks.yaml
levels:
  - {level: '', place: on a note, below: Inner}
  - {level: Inner, place: on a part of a note}
templates:
  Mark:
    type: object
    description: '{…}'
    required: [type, '{type}']
    properties:
      type: {type: string, description: The type., const: '{type}'}
      '{type}': {type: boolean, description: 'Whether there is a {type}.'}
  DatedMark:
    x-template: Mark
    properties:
      type: {}
      since: {type: string, description: Since when.}
  Named:
    kinds: ['{type}']
lists: {all: [gold_star, seal]}
`,
  'gold_star.yaml': `GoldStarMark:
  x-template: Mark
  x-nesting: 2
  description: |-
    A star {place},
    which anybody may set.
  properties:
    type: {}
    points: {type: integer, description: How many points it has.}
entries:
  x-template: Named
  read: {gold_star: {$ref: '#/RetrieveNoteGoldStar'}}
  list:
    - Gold
    - Star
RetrieveNoteGoldStar:
  summary: A list of stars
  value: {object: note, id: 479dd02e-5974-4f6b-8eeb-4467a5c46004, type: list, list: [Gold]}
`,
  'seal.yaml': `SealMark:
  x-template: DatedMark
  description: A seal.
entries:
  x-template: Named
  list: [Seal]
`,
  'unions/marks.yaml': `Mark:
  type: object
  description: A mark ({all}).
  oneOf:
    - x-each: Mark
  discriminator: {propertyName: type}
InnerMark:
  type: object
  description: A mark of a part.
  oneOf:
    - x-each: [MarkInner, Mark]
      without: [seal]
`,
}

const PATH = 'resources/notes/paths/note.yaml'
const EXAMPLE = 'resources/notes/examples/RetrieveNoteList.yaml'

beforeEach(() => {
  cpSync(join(import.meta.dirname, 'fixtures/contract'), folder, { recursive: true, force: true })
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(family, name)), { recursive: true })
    writeFileSync(join(family, name), text)
  }
  edit(root, 'paths:\n', 'x-families: [{$ref: ./families/marks/family.yaml}]\npaths:\n')
  const list = (name: string): string => `{family: ../../../families/marks, entries: ${name}}`
  edit(join(folder, PATH), 'RetrieveNoteText.yaml }\n', `RetrieveNoteText.yaml }\n            x-each: ${list('read')}\n`)
  edit(join(folder, EXAMPLE), '[Rope, Tar]', `[Rope, {x-each: ${list('list')}}, {x-each: ${list('kinds')}}, Tar]`)
  const marks = (name: string): string => `  ${name}: {$ref: ../../../families/marks/unions/marks.yaml#/${name}}\n`
  edit(
    join(folder, 'resources/notes/schemas/NoteBase.yaml'),
    'properties:\n',
    `properties:\n${marks('Mark')}${marks('InnerMark')}`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

const faults = async (): Promise<readonly string[]> => bundleContract(root).then(() => [], faultsIn)
const at = (file: string, line: number): string => `${relative(process.cwd(), join(family, file))}:${line}:1  `

test('a schema of a family contains what its template adds, with the words of its nesting level', async () => {
  const { schemas = {} } = (await bundleContract(root)).document.components
  const star = {
    type: 'object',
    description: 'A star on a note, which anybody may set.',
    required: ['type', 'gold_star'],
    properties: {
      type: { type: 'string', description: 'The type.', const: 'gold_star' },
      points: { type: 'integer', description: 'How many points it has.' },
      gold_star: { type: 'boolean', description: 'Whether there is a gold_star.' },
    },
  }
  expect(schemas['GoldStarMark']).toEqual(star)
  expect(Object.keys(schemas['GoldStarMark']?.properties ?? {})).toEqual(Object.keys(star.properties))
  expect(schemas['GoldStarMarkInner']).toEqual({ ...star, description: 'A star on a part of a note, which anybody may set.' })
  expect(schemas['SealMark']).toMatchObject({ description: 'A seal.', required: ['type', 'seal'] })
  expect(Object.keys(schemas['SealMark']?.properties ?? {})).toEqual(['type', 'since', 'seal'])
})

test('a union of a family has a variant for each member, in the first listed form that the member has', async () => {
  const { schemas = {} } = (await bundleContract(root)).document.components
  const [star, seal] = ['#/components/schemas/GoldStarMark', '#/components/schemas/SealMark']
  expect(schemas['Mark']).toMatchObject({
    oneOf: [{ $ref: star }, { $ref: seal }],
    discriminator: { propertyName: 'type', mapping: { gold_star: star, seal } },
  })
  expect(schemas['InnerMark']).toMatchObject({ oneOf: [{ $ref: `${star}Inner` }] })
})

test('a list of a family has the entries of every member, including those from a template', async () => {
  const { paths, components } = (await bundleContract(root)).document
  const response = paths['/v1/notes/{note_id}']?.get?.responses['200'] as ResponseObject
  expect(Object.entries(response.content?.['application/json']?.examples ?? {})).toEqual([
    ['text', { $ref: '#/components/examples/RetrieveNoteText' }],
    ['gold_star', { $ref: '#/components/examples/RetrieveNoteGoldStar' }],
    ['list', { $ref: '#/components/examples/RetrieveNoteList' }],
  ])
  expect(components.examples?.['RetrieveNoteGoldStar']).toMatchObject({ summary: 'A list of stars' })
  const list = ['Rope', 'Gold', 'Star', 'Seal', 'gold_star', 'seal', 'Tar']
  expect(components.examples?.['RetrieveNoteList']?.value).toMatchObject({ list })
  expect(components.schemas?.['Mark']?.description).toBe('A mark (`gold_star`, `seal`).')
})

test('a location in an entry of a family is found in the file of its member', async () => {
  const files = new ContractFiles()
  await bundleContract(root, files)
  const sources = new SourceMap(root, files)
  const location = async (...path: string[]): Promise<string> => {
    const { file, line, column } = await sources.locate(path)
    return `${relative(folder, file)}:${line}:${column}`
  }
  const item = async (index: number): Promise<string> =>
    location('components', 'examples', 'RetrieveNoteList', 'value', 'list', `${index}`)
  expect(await item(0)).toMatch(/^resources\/notes\/examples\/RetrieveNoteList\.yaml:2:/)
  expect(await item(2)).toBe('families/marks/gold_star.yaml:15:7')
  expect(await item(3)).toBe('families/marks/seal.yaml:6:10')
  expect(await item(6)).toMatch(/^resources\/notes\/examples\/RetrieveNoteList\.yaml:2:/)
  const responses = ['paths', '/v1/notes/{note_id}', 'get', 'responses', '200', 'content', 'application/json', 'examples']
  expect(await location(...responses, 'gold_star')).toBe('families/marks/gold_star.yaml:12:10')
  expect(await location('components', 'examples', 'RetrieveNoteGoldStar', 'value', 'list', '0')).toBe(
    'families/marks/gold_star.yaml:18:86',
  )
})

test('a location in a schema of a family is found in its declaration, at any nesting level', async () => {
  const files = new ContractFiles()
  await bundleContract(root, files)
  const location = async (...path: string[]): Promise<string> => {
    const { file, line } = await new SourceMap(root, files).locate(['components', 'schemas', ...path])
    return `${file}:${line}:1  `
  }
  expect(await location('GoldStarMarkInner', 'properties', 'points')).toBe(at('gold_star.yaml', 9))
  expect(await location('GoldStarMarkInner', 'properties', 'gold_star')).toBe(at('gold_star.yaml', 7))
  expect(await location('SealMark', 'required')).toBe(at('seal.yaml', 1))
  expect(await location('InnerMark', 'description')).toBe(at('unions/marks.yaml', 9))
})

const MISTAKES: [title: string, file: keyof typeof FILES, from: string, to: string, line: number, fault: string][] = [
  ['a missing template', 'seal.yaml', 'DatedMark', 'Marc', 2, 'Marc is not a template'],
  [
    'a missing member that the template requires',
    'seal.yaml',
    '  description: A seal.\n',
    '',
    1,
    'The template leaves description',
  ],
  ['a file that is not YAML', 'seal.yaml', 'description: A', 'description: : A', 3, 'bad indentation'],
  ['a placeholder that no level defines', 'gold_star.yaml', '{place}', '{palce}', 4, 'no word palce'],
]
test.each(MISTAKES)(
  'a fault in a family is reported at the line that causes it: %s',
  async (_title, file, from, to, line, fault) => {
    edit(join(family, file), from, to)
    const [found] = await faults()
    expect(found).toMatch(`${at(file, line).slice(0, -3)}`)
    expect(found).toContain(fault)
  },
)

test('entries that no member of a family has, and entries that no file lists, are reported', async () => {
  edit(join(family, 'seal.yaml'), '  list: [Seal]', '  lits: [Seal]')
  edit(join(folder, PATH), 'entries: read', 'entries: reed')
  const found = await faults()
  expect(found).toContainEqual(
    expect.stringMatching(/notes\/paths\/note\.yaml:20:1 {2}No member of \S+marks has entries called reed\.$/),
  )
  expect(found).toContainEqual(expect.stringMatching(/gold_star\.yaml:12:3 {2}No file lists the entries called read\.$/))
  expect(found).toContainEqual(expect.stringMatching(/seal\.yaml:6:3 {2}No file lists the entries called lits\.$/))
})

test('undefined placeholders in the template of an example, and a broken reference of an entry, are reported at their location', async () => {
  edit(join(family, 'family.yaml'), "    kinds: ['{type}']", "    kinds: ['{type}']\n  Stars:\n    summary: '{…}'")
  edit(join(family, 'gold_star.yaml'), '  summary: A list of stars', '  x-template: Stars')
  expect(await faults()).toContainEqual(expect.stringMatching(/gold_star\.yaml:16:1 {2}The template leaves summary/))
  edit(join(family, 'gold_star.yaml'), "'#/RetrieveNoteGoldStar'", './none.yaml')
  expect(await faults()).toContainEqual(expect.stringMatching(/gold_star\.yaml:12:\d+ .*none\.yaml/))
})

test('a schema that two files of a family declare is reported', async () => {
  edit(join(family, 'seal.yaml'), 'SealMark:', 'GoldStarMarkInner:')
  expect((await faults()).join('\n')).toMatch(/seal\.yaml .*gold_star\.yaml has the same name/)
})

test('a broken reference in a schema of a family is reported at its declaration, at any nesting level', async () => {
  edit(join(family, 'gold_star.yaml'), 'points: {type: integer', 'points: {$ref: ./none.yaml')
  expect(await faults()).toContainEqual(expect.stringMatching(/gold_star\.yaml:9:\d+ .*none\.yaml/))
})

test('Redocly with the plugin in redocly.yaml bundles the same schemas and examples as the generator', async () => {
  const settings = `plugins: [./scripts/generate/families.js, ./scripts/generate/error_responses.js]
preprocessors: {families/expanded: on, workspace/error-responses: on}`
  const config = await createConfig(settings, { configPath: join(projectRoot, 'redocly.yaml') })
  const { bundle, problems } = await bundleByRedocly({ ref: root, config })
  const { document } = await bundleContract(root)
  expect(problems).toEqual([])
  const { schemas, examples } = (bundle.parsed as typeof document).components
  for (const name of ['GoldStarMark', 'GoldStarMarkInner', 'SealMark', 'Mark', 'InnerMark'])
    expect([name, schemas?.[name]]).toEqual([name, document.components.schemas?.[name]])
  for (const name of ['RetrieveNoteGoldStar', 'RetrieveNoteList'])
    expect([name, examples?.[name]]).toEqual([name, document.components.examples?.[name]])
  expect(readFileSync(join(projectRoot, 'redocly.yaml'), 'utf8')).toContain('families/expanded: on')
})
