/** Response examples in the form of a release date: converted from the newest ones by the server's own code. */

import type { DatabaseObject, DataSourceObject, Parent } from '../../../generated/types.ts'
import type { ReleaseChange, Lookups } from '../../../server/versions/release.ts'
import { releases } from '../../../server/versions/releases.ts'
import { isReference, operationsOf, resolve, type Document, type Example, type ResponseObject } from '../document.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

export interface ResponseExample {
  operation: string
  /** component name */
  name: string
  value: Record<string, unknown>
}

/** Every JSON example of a successful response, in document order. */
export function responseExamples(document: Document): ResponseExample[] {
  return operationsOf(document).flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, reference]) => {
      if (!status.startsWith('2')) return []
      const media = resolve<ResponseObject>(document, reference).content?.['application/json']
      return Object.values(media?.examples ?? {}).flatMap((example) => {
        const { value } = resolve<Example>(document, example)
        if (!isReference(example) || !isObject(value)) return []
        return [{ operation: operation.operationId, name: example.$ref.split('/').at(-1) ?? '', value }]
      })
    }),
  )
}

/**
 * The contract with its response examples in the form of its date.
 * @param newest the contract that still has the newest examples
 */
export async function withOlderExamples(document: Document, date: string, newest: Document): Promise<Document> {
  const lookups = lookupsAmong(newest)
  const changes = changesAfter(date)
  const examples = { ...document.components.examples }
  for (const { operation, name, value } of responseExamples(document)) {
    const example = examples[name]
    if (example) examples[name] = { ...example, ...olderValue(await undoneChanges(value, operation, changes, lookups)) }
  }
  return { ...document, components: { ...document.components, examples } }
}

function olderValue(value: Record<string, unknown>): Pick<Example, 'value'> {
  return JSON.parse(JSON.stringify({ value }))
}

/** Changes that are newer than a version, oldest first. */
export function changesAfter(date: string): readonly ReleaseChange[] {
  return releases.filter((release) => release.date > date).flatMap(({ changes }) => changes)
}

/** A response before some changes. The newest change is undone first. */
export async function undoneChanges(
  response: Record<string, unknown>,
  operation: string,
  changes: readonly ReleaseChange[],
  lookups: Lookups,
): Promise<Record<string, unknown>> {
  const request = { call: { operation: { id: operation }, path: {}, body: undefined } }
  let older = response
  for (const { downgrade } of changes.toReversed()) if (downgrade) older = await downgrade(older, lookups, request)
  return older
}

/** Lookups of stored data, served from the records in the examples. */
export function lookupsAmong(document: Document): Lookups {
  const records = responseExamples(document).flatMap(({ value }) =>
    Array.isArray(value['results']) ? value['results'].filter(isObject) : [value],
  )
  const databases = new Map(records.filter(isDatabase).map((database) => [database.id, database]))
  const dataSources = new Map(records.filter(isDataSource).map((dataSource) => [dataSource.id, dataSource]))
  const pick = <T>(ids: readonly string[], find: (id: string) => T | undefined): Promise<ReadonlyMap<string, T>> =>
    Promise.resolve(
      new Map(
        ids.flatMap((id) => {
          const found = find(id)
          return found === undefined ? [] : [[id, found] as const]
        }),
      ),
    )
  return {
    parentsAround: (ids) => pick(ids, (id) => pageAround(records, id)),
    dataSourcesOf: (ids) =>
      pick(ids, (id) => {
        const named = databases.get(id)?.data_sources ?? []
        const found = named.flatMap(({ id: source }) => dataSources.get(source) ?? [])
        return found.length === named.length ? found : []
      }),
    databasesOf: (ids) =>
      pick(ids, (id) => [...databases.values()].find(({ data_sources }) => data_sources.some((source) => source.id === id))),
  }
}

function isDatabase(record: object): record is DatabaseObject {
  return 'object' in record && record.object === 'database' && 'data_sources' in record
}

function isDataSource(record: object): record is DataSourceObject {
  return 'object' in record && record.object === 'data_source' && 'parent' in record
}

function pageAround(records: readonly Record<string, unknown>[], blockId: string): Parent | undefined {
  const parent = records.find(({ object, id }) => object === 'block' && id === blockId)?.['parent']
  if (!isObject(parent)) return undefined
  if (parent['type'] === 'page_id') return { type: 'page_id', page_id: String(parent['page_id']) }
  return parent['type'] === 'block_id' ? pageAround(records, String(parent['block_id'])) : undefined
}
