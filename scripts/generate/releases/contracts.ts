/** The contract of each release date: derived from the newest by the steps of `spec/versions/`, release by release. */

import {
  isReference,
  operationsOf,
  resolve,
  schemaNameOf,
  walkObjects,
  type Components,
  type Document,
  type PathItem,
  type ResponseObject,
  type Schema,
} from '../document.ts'
import { ContractFaults, faultsIn } from '../faults.ts'
import { releaseDates, type ReleaseSpec, type VersionChange } from '../versions.ts'
import { renameInRequests, type Renames } from './requests.ts'
import { applyToSchemas, opened, selected, withoutLaterKeys, withoutLoneVariant } from './schema_steps.ts'
import { reworded, type WordChanges } from './reworded.ts'
import type { ReleaseStep } from './steps.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

export interface ContractOfRelease {
  date: string
  document: Document
}

/**
 * The contracts, newest first. Examples are still those of the newest release.
 * @param newest the public bundle
 * @param releases oldest first
 * @throws ContractFaults with each change whose steps do not fit the contract
 */
export function datedContracts(newest: Document, releases: readonly ReleaseSpec[]): ContractOfRelease[] {
  const contracts: ContractOfRelease[] = []
  const faults: string[] = []
  let document = newest
  for (const date of releaseDates(newest).toReversed()) {
    contracts.push({ date, document: asOf(document, newest, date, releases) })
    const older = structuredClone(document)
    for (const { location, id, step } of stepsOf(date, releases)) {
      try {
        applyStep(older, step)
      } catch (error) {
        faults.push(...faultsIn(error).map((fault) => `${location}  a step of ${id} does not fit: ${fault}`))
      }
    }
    // After a malformed step, the steps of earlier releases cannot be checked.
    if (faults.length > 0) throw new ContractFaults(faults)
    renameInRequests(older, document.components.schemas ?? {}, renamesOf(date, releases, document.components.schemas ?? {}))
    document = older
  }
  return contracts
}

function renamesOf(date: string, releases: readonly ReleaseSpec[], schemas: Record<string, Schema>): Renames {
  return new Map(
    stepsOf(date, releases).flatMap(({ step }) =>
      'in' in step && step.rename ? selected(schemas, step.in).map((name) => [name, step.rename ?? {}] as const) : [],
    ),
  )
}

/** The steps from the contract of a release to the previous one. */
function stepsOf(date: string, releases: readonly ReleaseSpec[]): { location: string; id: string; step: ReleaseStep }[] {
  return releases.flatMap((release) =>
    release.changes.flatMap(({ location, id, contract }) =>
      contract.filter(({ before = release.date }) => before === date).map((step) => ({ location, id, step })),
    ),
  )
}

function applyStep(document: Document, step: ReleaseStep): void {
  const schemas = (document.components.schemas ??= {})
  if ('define' in step) Object.assign(schemas, structuredClone(step.define))
  else if ('open' in step) openRequests(document)
  else if ('operation' in step) copyResponses(document, step.operation, step.responses_of)
  else if ('descriptions_of' in step) rewordOperation(document, step.descriptions_of, step.words)
  else applyToSchemas(schemas, step)
}

function openRequests(document: Document): void {
  const schemas = document.components.schemas ?? {}
  const bodies = operationsOf(document).map(({ operation }) => operation.requestBody)
  const names = componentsIn(bodies, document.components)
    .filter((location) => location.startsWith('schemas/'))
    .map((location) => location.slice('schemas/'.length))
  const payloadKeys = new Map<string, string[]>()
  for (const name of names) {
    const union = schemas[name]
    if (!union?.['x-payload-union']) continue
    const variants = (union.oneOf ?? []).flatMap((variant) =>
      isObject(variant) && variant.$ref ? [schemaNameOf(variant.$ref)] : [],
    )
    const keyOf = (variant: string | undefined): string | undefined => schemas[variant ?? '']?.['x-payload-key']
    const plain = variants.find((variant) => keyOf(variant) === undefined)
    if (plain !== undefined)
      payloadKeys.set(
        plain,
        variants.flatMap((variant) => keyOf(variant) ?? []),
      )
  }
  for (const name of names) {
    const schema = schemas[name]
    if (schema) schemas[name] = opened(schema, payloadKeys.get(name) ?? [])
  }
}

function copyResponses(document: Document, id: string, other: string): void {
  const find = (wanted: string): ResponseObject => {
    const placed = operationsOf(document).find(({ operation }) => operation.operationId === wanted)
    const response = placed?.operation.responses['200']
    if (response === undefined) throw new Error(`no response of ${wanted} exists`)
    return resolve<ResponseObject>(document, response)
  }
  const { content } = find(other)
  if (content) find(id).content = structuredClone(content)
}

function rewordOperation(document: Document, id: string, words: WordChanges): void {
  const placed = operationsOf(document).find(({ operation }) => operation.operationId === id)
  if (!placed) throw new Error(`${id} is not an operation`)
  Object.assign(placed.operation, reworded(placed.operation, words))
}

/**
 * The contract of a date as a separate document: named by its date, without operations of other dates and the components that only they
 * use.
 */
function asOf(chain: Document, newest: Document, date: string, releases: readonly ReleaseSpec[]): Document {
  const document = structuredClone(chain)
  const schemas = document.components.schemas ?? {}
  for (const [name, schema] of Object.entries(schemas)) if (schema.oneOf?.length === 1) schemas[name] = withoutLoneVariant(schema)
  const description = introduction(String(document.info['description']), date, newest)
  document.info = { ...document.info, version: date, description }
  const { ReleaseDate: dates } = document.components.schemas ?? {}
  if (dates) dates.enum = [date]
  for (const parts of [document.components.parameters, document.components.headers])
    for (const part of Object.values(parts ?? {}))
      if (part.schema?.$ref && schemaNameOf(part.schema.$ref) === 'ReleaseDate' && part['example'] !== undefined)
        part['example'] = date
  removeOtherDates(document, date)
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withoutLaterKeys(schema, date)
  const changes = releases.filter((release) => release.date > date).flatMap((release) => release.changes)
  for (const { operation } of operationsOf(document)) {
    const differing = changes.filter(
      ({ kind, operations }) => kind !== 'availability' && kind !== 'elsewhere' && operations.includes(operation.operationId),
    )
    if (differing.length > 0) operation.description = `${operation.description ?? ''}\n\n${differences(date, differing)}`
  }
  return pruned(document, newest)
}

/** The introduction of the newest release, with its sample requests as of a date. */
function introduction(text: string, date: string, { info: { version } }: Document): string {
  if (date === version) return text
  const shown = text.replaceAll(`Service-Version: ${version}`, `Service-Version: ${date}`)
  return `This is the contract as of **${date}**: every request that it describes is sent with \`Service-Version: ${date}\`. Where the text below describes a later release, the operations and schemas are decisive.\n\n${shown}`
}

function differences(date: string, changes: readonly VersionChange[]): string {
  const rows = changes.map(({ where, old }) => `- ${oneLine(where)}: ${oneLine(old)}`)
  return `Differences from later releases, at ${date}:\n\n${rows.join('\n')}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function removeOtherDates(document: Document, date: string): void {
  for (const { path, method, operation } of operationsOf(document)) {
    const { from = '', before = '9999' } = operation['x-available'] ?? {}
    if (from <= date && date < before) delete operation['x-available']
    else delete document.paths[path]?.[method]
  }
  const isEmpty = (item: PathItem): boolean => operationsOf({ ...document, paths: { path: item } }).length === 0
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([, item]) => !isEmpty(item)))
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags))
  if (document.tags) document.tags = document.tags.filter(({ name }) => used.has(name))
}

/** Removes components that nothing refers to, except those that are also unused in the newest contract. */
function pruned(document: Document, newest: Document): Document {
  const used = new Set(componentsIn(rootsOf(document), document.components))
  const usedInNewest = new Set(componentsIn(rootsOf(newest), newest.components))
  const components = Object.entries(document.components).map(([kind, group]) => {
    const known = newest.components[kind]
    const isKept = (name: string): boolean =>
      used.has(`${kind}/${name}`) || (isObject(known) && name in known && !usedInNewest.has(`${kind}/${name}`))
    const kept = Object.entries(isObject(group) ? group : {}).filter(([name]) => isKept(name))
    return [kind, Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))]
  })
  return { ...document, components: Object.fromEntries(components) as Components }
}

function rootsOf({ paths, webhooks }: Document): unknown {
  return [paths, webhooks]
}

/** Components that are referenced directly or indirectly, as `schemas/Block`. */
function componentsIn(value: unknown, components: Components): string[] {
  const found = new Set<string>()
  const waiting: unknown[] = [value]
  while (waiting.length > 0)
    walkObjects(waiting.pop(), (object) => {
      const [, , kind = '', name = ''] = isReference(object) ? object.$ref.split('/') : []
      if (kind === '' || found.has(`${kind}/${name}`)) return
      found.add(`${kind}/${name}`)
      const group = components[kind]
      waiting.push(isObject(group) ? group[name] : undefined)
    })
  return [...found]
}
