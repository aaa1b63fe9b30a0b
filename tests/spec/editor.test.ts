/** Files for editors: the schemas of the contract's files, and the words that lint reports. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { Ajv, type AnySchemaObject } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { report } from '../../scripts/lint/report.ts'
import { projectRoot } from './support/files.ts'

const settingsFolder = join(projectRoot, '.vscode')
const read = (name: string) => JSON.parse(readFileSync(join(settingsFolder, name), 'utf8'))
const associations: [schema: string, globs: string[]][] = Object.entries(read('settings.json')['yaml.schemas'])
const idOf = (schema: string): string => new URL(schema, 'file:///').href
const ajv = new Ajv({ strict: false, allErrors: true })
for (const name of readdirSync(join(settingsFolder, 'schemas'))) {
  const schema: AnySchemaObject = read(`schemas/${name}`)
  ajv.addSchema({ ...schema, $id: idOf(`./.vscode/schemas/${name}`) })
}

function faultsOf(schema: string, value: unknown): string[] {
  const validate = ajv.getSchema(idOf(schema))
  if (validate === undefined) throw new Error(`no schema ${schema}`)
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const files = readdirSync(join(projectRoot, 'spec'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `spec/${file}`)
const schemasOf = (file: string): string[] =>
  associations.filter(([, globs]) => globs.some((glob) => matchesGlob(file, glob))).map(([schema]) => schema)

// If you are here because a file is listed: the editor's settings assign no schema to it, or several.
test('every file of the contract has one schema and fits it, except the root and the workflows, which Redocly checks', () => {
  const others = files.filter((file) => schemasOf(file).length !== 1)
  expect(others.filter((file) => !/^spec\/(?:\w+\.yaml|workflows\/|shared\/security_schemes)/.test(file))).toEqual([])
  const faults = files
    .filter((file) => !others.includes(file))
    .flatMap((file) => {
      const value: unknown = parse(readFileSync(join(projectRoot, file), 'utf8'), { merge: true })
      return schemasOf(file).flatMap((schema) => faultsOf(schema, value).map((fault) => `${file}: ${fault}`))
    })
  expect(faults).toEqual([])
})

test('files with mistakes do not fit their schemas', () => {
  const operation = { operationId: 'listBoats', tags: ['Boats'], summary: 'List boats', description: 'All.', responses: {} }
  const responses = { '200': { description: 'Boats.' } }
  const right: [file: string, value: unknown][] = [
    ['spec/resources/boats/paths/boats.yaml', { get: { ...operation, responses } }],
    ['spec/resources/boats/schemas/Boat.yaml', { type: 'object', 'x-payload-key': 'boat' }],
    ['spec/resources/boats/examples/Boat.yaml', { summary: 'A boat', value: {} }],
  ]
  const wrong: [file: string, value: unknown][] = [
    ['spec/resources/boats/paths/boats.yaml', { get: operation }],
    ['spec/resources/boats/paths/boats.yaml', { get: { ...operation, responses, 'x-capability': { some: ['x'] } } }],
    ['spec/resources/boats/schemas/Boat.yaml', { type: 'objekt' }],
    ['spec/resources/boats/examples/Boat.yaml', { value: {} }],
    ['spec/shared/errors/boats.yaml', { 400: { $ref: 'BadRequest' } }],
    ['spec/versions/2030-01-01.yaml', [{ id: 'Z1', abuot: 'boats' }]],
  ]
  const faults = ([file, value]: (typeof right)[number]): number =>
    schemasOf(file).flatMap((schema) => faultsOf(schema, value)).length
  expect(right.map(faults)).toEqual([0, 0, 0])
  expect(wrong.map(faults).filter((count) => count === 0)).toEqual([])
})

test("the editor's tasks parse the output of lint and dev", () => {
  const text = report([
    {
      tool: 'spectral',
      rule: 'descriptions',
      severity: 'error',
      message: 'Needs a description',
      file: 'spec/a.yaml',
      line: 3,
      column: 5,
      location: '',
    },
    {
      tool: 'example',
      rule: 'example-ids',
      severity: 'error',
      message: 'not in (the) list',
      file: 'spec/a.yaml',
      line: 7,
      location: '',
    },
  ])
  for (const { script, problemMatcher } of read('tasks.json').tasks) {
    expect(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).scripts).toHaveProperty(script)
    const { regexp, file, line, column, code, message } = problemMatcher.pattern
    const matches = text.split('\n').flatMap((one) => [new RegExp(regexp).exec(one) ?? []].filter(({ length }) => length > 0))
    expect(matches.map((match) => [file, line, column, code, message].map((index) => match[index]))).toEqual([
      ['spec/a.yaml', '3', '5', 'descriptions', 'Needs a description'],
      ['spec/a.yaml', '7', '1', 'example-ids', 'not in (the) list'],
    ])
  }
})
