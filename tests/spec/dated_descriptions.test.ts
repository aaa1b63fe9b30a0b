/** Names in descriptions of a dated contract exist at that date. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { operationsOf, schemaNameOf, type Document, type Schema } from '../../scripts/generate/document.ts'
import { reworded } from '../../scripts/generate/releases/reworded.ts'
import { loadContract } from '../../scripts/generate/releases/load.ts'
import { newestRelease, releaseDates } from '../../server/versions/index.ts'
import { projectRoot } from './support/files.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** The most references from a part to words that count as its own, such as those of the variants of its unions. */
const DEPTH = 3

/** The descriptions of one part of a contract, and the words that belong to the part itself. */
interface Part {
  readonly texts: readonly string[]
  readonly words: ReadonlySet<string>
}

/** Only names that cannot be English words: `data_sources`, `BlockType`, `queryDataSource`. */
const NAME = /^(?:[a-z]+(?:_[a-z0-9]+)+|[A-Za-z]+[a-z][A-Z][A-Za-z]*)$/

/** Names of later releases that mean something else in these descriptions, which the release has. */
const DIFFERENT_MEANING: Readonly<Record<string, string>> = {
  PageObject: 'block_id', // the path parameter
  RollupSubfilter: 'rich_text', // a property type whose condition was called `text`
}

// If you are here because a description is listed: it contains a key, value or operation that the release lacks. Give the change in
// spec/versions a step with `words` that describes the older behavior.
describe.each(releaseDates.filter((date) => date !== newestRelease))('descriptions as of %s', (date) => {
  let newest: Document
  let dated: Document
  beforeAll(async () => {
    newest = JSON.parse(await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8')) as Document
    dated = await loadContract(date)
  })

  test('name no feature of later releases', () => {
    const known = namesIn(dated)
    const later = new Set([...namesIn(newest)].filter((name) => !known.has(name)))
    expect(listed(partsOf(dated), () => later)).toEqual([])
  })

  test('name no later feature of their own schema', () => {
    const before = partsOf(newest)
    const later = (location: string, { words }: Part): ReadonlySet<string> =>
      (before.get(location)?.words ?? new Set<string>()).difference(words.union(new Set([DIFFERENT_MEANING[location] ?? ''])))
    expect(listed(partsOf(dated), later)).toEqual([])
  })
})

test('a step that replaces words finds them across line breaks, in every description, and fails without a match', () => {
  const schema = { description: 'One of\n  the **rows**.', properties: { id: { description: 'The id. One of the **rows**.' } } }
  expect(reworded(schema, { 'One of the **rows**': 'A row' })).toEqual({
    description: 'A row.',
    properties: { id: { description: 'The id. A row.' } },
  })
  expect(() => reworded(schema, { 'One of the views': 'A view' })).toThrow('no description says “One of the views”')
})

/** Each name of a later release in a description, with its path. */
function listed(parts: ReadonlyMap<string, Part>, laterOf: (location: string, part: Part) => ReadonlySet<string>): string[] {
  return [...parts].flatMap(([location, part]) => {
    const later = laterOf(location, part)
    const named = part.texts.flatMap((text) => codeIn(text))
    return [...new Set(named.filter((name) => later.has(name)))].map((name) => `${location}: ${name}`)
  })
}

/** Names in code spans of a description, without the list of differences, which names later releases on purpose. */
function codeIn(text: string): string[] {
  const [own = ''] = text.split(/\n\nDifferences from later releases, at \d{4}-\d{2}-\d{2}:/)
  return [...own.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.split(/\W+/)).filter((name) => NAME.test(name))
}

function partsOf({ paths, components, ...rest }: Document): Map<string, Part> {
  const schemas = components.schemas ?? {}
  const operations = operationsOf({ ...rest, paths, components }).map(({ operation }): [string, Part] => [
    operation.operationId,
    { texts: descriptionsIn(operation), words: wordsOf(operation.requestBody, schemas) },
  ])
  const described = Object.entries(schemas).map(([name, schema]): [string, Part] => [
    name,
    { texts: descriptionsIn(schema), words: wordsOf(schema, schemas) },
  ])
  return new Map([...operations, ...described])
}

/** Keys, values and tags of a part, and of the schemas that it refers to, directly or through a few others. */
function wordsOf(value: unknown, schemas: Readonly<Record<string, Schema>>, depth = DEPTH): Set<string> {
  const words = new Set<string>()
  each(value, (object) => {
    for (const name of wordsAt(object)) words.add(name)
    const { $ref: ref } = object
    if (depth === 0 || typeof ref !== 'string') return
    for (const name of wordsOf(schemas[schemaNameOf(ref) ?? ''], schemas, depth - 1)) words.add(name)
  })
  return words
}

/** Every key, value, operation, parameter and schema of a contract. */
function namesIn(document: Document): Set<string> {
  const names = new Set(Object.keys(document.components.schemas ?? {}))
  for (const part of [document.paths, document.components, document.webhooks])
    each(part, (object) => wordsAt(object).forEach((name) => names.add(name)))
  return names
}

function wordsAt({ properties, enum: values, const: only, operationId, name }: Readonly<Record<string, unknown>>): string[] {
  const keys = isObject(properties) ? Object.keys(properties) : []
  const texts = [only, operationId, name, ...(Array.isArray(values) ? (values as unknown[]) : [])]
  return [...keys, ...texts.filter((text) => typeof text === 'string')]
}

function descriptionsIn(value: unknown): string[] {
  const found: string[] = []
  each(value, ({ description }) => void (typeof description === 'string' && found.push(description)))
  return found
}

/** Visits every object in a part of a contract except examples. */
function each(value: unknown, visit: (object: Readonly<Record<string, unknown>>) => void): void {
  if (Array.isArray(value)) for (const item of value as unknown[]) each(item, visit)
  if (!isObject(value)) return
  visit(value)
  for (const [key, inner] of Object.entries(value)) if (key !== 'example' && key !== 'examples') each(inner, visit)
}
