/** The files of spec/: named by the rules, and all referenced. */

import { expect, test } from 'vitest'
import { specFiles } from './support/files.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const files = specFiles()
const inFolder = (kind: string): typeof files => files.filter(({ path }) => path.split('/').at(-2) === kind)
const roots = ['openapi.yaml', 'control.yaml', 'console.yaml', 'shared/headers/response_headers.yaml']

// If you are here because a file is listed: no root file of spec/ refers to it. Reference it, or delete it.
test('every file in spec/ is referenced from a root document, directly or indirectly', () => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const reached = new Set<string>()
  const reach = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    byPath.get(path)?.references.forEach(reach)
  }
  roots.forEach(reach)
  expect(files.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([])
})

test('every reference leads to a file', () => {
  const known = new Set(files.map(({ path }) => path))
  expect(
    files.flatMap(({ path, references }) =>
      references.filter((target) => !known.has(target)).map((target) => `${path} -> ${target}`),
    ),
  ).toEqual([])
})

test('file names are unique, PascalCase for components and snake_case for paths and events', () => {
  const components = ['schemas', 'parameters', 'headers', 'responses', 'examples']
    .flatMap(inFolder)
    .filter(({ name }) => name !== 'response_headers')
  const names = components.map(({ name }) => name.toLowerCase())
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(components.filter(({ name }) => !/^[A-Z][A-Za-z0-9]*[A-Za-z]$/.test(name)).map(({ path }) => path)).toEqual([])
  expect(
    inFolder('paths')
      .filter(({ name }) => !/^[a-z][a-z_]*$/.test(name))
      .map(({ path }) => path),
  ).toEqual([])
})

test('examples have a summary and a value', () => {
  const faulty = files
    .filter(({ path }) => path.includes('examples/'))
    .filter(({ value }) => !isObject(value) || typeof value['summary'] !== 'string' || !('value' in value))
  expect(faulty.map(({ path }) => path)).toEqual([])
})
