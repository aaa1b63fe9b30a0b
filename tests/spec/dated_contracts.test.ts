/** The contract as of each release date: its examples fit it, and examples without one of its changes do not. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ReleaseDate } from '../../generated/types.ts'
import { operationsOf, type Document } from '../../scripts/generate/document.ts'
import { responseExamples, changesAfter, lookupsAmong, undoneChanges } from '../../scripts/generate/releases/examples.ts'
import { bundleContract } from '../../scripts/generate/contract.ts'
import { Linter } from '../../scripts/lint/linter.ts'
import { loadContract } from '../../scripts/generate/releases/load.ts'
import { readReleases } from '../../scripts/generate/versions.ts'
import { newestRelease, releaseDates } from '../../server/versions/index.ts'
import { publicContract, validatorOf } from '../harness/contract.ts'
import { inLongRuns, someRows } from '../harness/long_runs.ts'
import { projectRoot, specFolder } from './support/files.ts'
import { usedExamples } from './support/public_document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

let newest: Document
const contracts = new Map<string, Document>()

beforeAll(async () => {
  newest = JSON.parse(await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8')) as Document
  for (const date of releaseDates) contracts.set(date, await loadContract(date))
})

function contractOf(date: string): Document {
  const found = contracts.get(date)
  if (!found) throw new Error(`no contract as of ${date}`)
  return found
}

/** Whether a value fits the schema at a path of a contract. */
function fits(date: ReleaseDate, location: readonly string[], value: unknown): boolean {
  let schema: unknown = publicContract(date)
  for (const key of location) schema = isObject(schema) ? schema[key] : undefined
  if (!isObject(schema)) throw new Error(`no schema at ${location.join('/')}`)
  return validatorOf(schema, publicContract(date))(value)
}

inLongRuns(test)('Redocly finds no structural fault in any dated contract', async () => {
  const linter = await Linter.load()
  expect(await linter.problemsByDate(await bundleContract(join(specFolder, 'openapi.yaml')))).toEqual([])
})

test.each(someRows(releaseDates))('the contract as of %s has valid examples of bodies', (date) => {
  const faults = usedExamples(contractOf(date))
    .filter(({ type }) => !type.startsWith('multipart/')) // represents bytes
    .filter(({ name, schema }) => schema[0] !== 'webhooks' && !isOfNewest(date, name))
    .filter(({ value, schema }) => !fits(date, schema, value))
  expect(faults.map(({ label, name }) => `${name} (${label})`)).toEqual([])
})

describe.each(releaseDates)('the contract as of %s', (date) => {
  test('is named by its date, the only one that requests can name', () => {
    const document = contractOf(date)
    expect(document.info.version).toBe(date)
    expect(document.components.schemas?.['ReleaseDate']?.enum).toEqual([date])
  })

  test('shows requests of its date in the introduction', () => {
    const shown = String(contractOf(date).info['description']).match(/Service-Version: [\d-]+/g)
    expect([...new Set(shown)]).toEqual([`Service-Version: ${date}`])
  })

  test('has the operations of its date', () => {
    const ids = ({ paths }: Document): string[] =>
      operationsOf({ ...newest, paths }).map(({ operation }) => operation.operationId)
    const isThere = ({ from = '', before = '9999' }: { from?: string; before?: string }): boolean => from <= date && date < before
    const expected = operationsOf(newest).filter(({ operation }) => isThere(operation['x-available'] ?? {}))
    expect(ids(contractOf(date))).toEqual(expected.map(({ operation }) => operation.operationId))
  })
})

/** examples.test.ts checks examples of the newest release. */
function isOfNewest(date: ReleaseDate, name: string): boolean {
  const value = (document: Document): string => JSON.stringify(document.components.examples?.[name]?.value)
  return date === newestRelease && value(contractOf(date)) === value(newest)
}

// If you are here because a change is listed: by the contract, callers of the previous release cannot distinguish its responses from those
// of the new one. Give the change a step in spec/versions that the newer form violates, or an example that shows it.
test('a response in which one change is not undone does not fit the contract of the previous release', async () => {
  const releases = await readReleases(join(specFolder, 'versions'))
  const lookups = lookupsAmong(newest)
  const unnoticed: string[] = []
  for (const [index, { date, changes }] of releases.entries()) {
    const before = releaseDates[index] ?? newestRelease
    const document = contractOf(before)
    const examples = new Map(responseExamples(document).map((example) => [`${example.operation} ${example.name}`, example]))
    for (const { id, contract, kind } of changes) {
      if (kind === 'request' || kind === 'availability' || kind === 'elsewhere' || contract.length === 0) continue
      const others = changesAfter(before).filter((change) => change.id !== id)
      let isNoticed = false
      for (const { operation, name, value } of responseExamples(newest)) {
        if (isNoticed || !examples.has(`${operation} ${name}`)) continue
        const mutant = await undoneChanges(value, operation, others, lookups)
        isNoticed = !fits(before, schemaOf(document, operation), JSON.parse(JSON.stringify(mutant)))
      }
      if (!isNoticed) unnoticed.push(`${id} of ${date}`)
    }
  }
  expect(unnoticed).toEqual([])
})

function schemaOf(document: Document, id: string): string[] {
  const placed = operationsOf(document).find(({ operation }) => operation.operationId === id)
  if (!placed) throw new Error(`no operation ${id}`)
  return ['paths', placed.path, placed.method, 'responses', '200', 'content', 'application/json', 'schema']
}

test('the newest dated contract has the same schemas as the published one', () => {
  const document = contractOf(newestRelease)
  const schemas = document.components.schemas ?? {}
  const different = Object.keys(schemas).filter(
    (name) => name !== 'ReleaseDate' && JSON.stringify(schemas[name]) !== JSON.stringify(newest.components.schemas?.[name]),
  )
  expect(different).toEqual([])
})
