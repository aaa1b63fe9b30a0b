import { operations } from '../../../generated/operations.ts'
import type { ReleaseDate } from '../../../generated/types.ts'
import type { OperationId } from '../../../server/contract/operation.ts'
import { sharedValidator } from '../../../server/contract/contract_validator.ts'
import { ServiceError } from '../../../server/kernel/errors.ts'
import { releaseDates } from '../../../server/versions/index.ts'
import type { Lookups } from '../../../server/versions/release.ts'
import { Translation } from '../../../server/versions/translation.ts'
import { publicContract, resolve, validatorOf, type DeclaredResponse } from '../../harness/contract.ts'
import { databaseWith, dataSource, ID } from '../../versions/support.ts'
import { mutateJson } from '../mutations.ts'
import { Broken, type Target } from '../target.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

interface Case {
  readonly version: ReleaseDate
  readonly operation: OperationId
  readonly kind: 'request' | 'response'
  readonly body: unknown
}

/** Requests of older versions are accepted, or refused with errors in their version's terms; responses have an older form. */
export const target: Target = {
  seeds: examples().map((one) => JSON.stringify(one)),
  words: ['__proto__', 'constructor', ...releaseDates, ...Object.keys(operations), ...keysOfContract()],
  mutate: mutateJson,
  async check(input) {
    const sent = caseOf(input)
    if (sent?.kind === 'request') await checkRequest(sent)
    else if (sent) await checkResponse(sent)
  },
}

function caseOf(input: string): Case | undefined {
  let value: unknown
  try {
    value = JSON.parse(input)
  } catch {
    return undefined
  }
  const { version, operation, kind, body } = isObject(value) ? value : {}
  const date = releaseDates.find((one) => one === version)
  const known = Object.values(operations).find(({ id }) => id === operation)
  if (!date || !known || (kind !== 'request' && kind !== 'response')) return undefined
  return { version: date, operation: known.id, kind, body }
}

const PATHS = Object.fromEntries(
  Object.values(operations).map(({ id, pathParameters }) => [
    id,
    Object.fromEntries(pathParameters.map((name) => [name, '3af9f30c-5a66-4477-bda9-d8c096d38ff5'])),
  ]),
)

async function checkRequest({ version, operation, body }: Case): Promise<void> {
  if (!isObject(body)) return
  const written = structuredClone(body)
  const translation = new Translation(version, operations[operation], { path: { ...PATHS[operation] }, query: {}, body })
  const refused = refusalOf(translation)
  for (const { path } of refused?.complaints ?? [])
    if (!isPathIn(written, path))
      throw new Broken('an error names a place that the caller wrote', `${path} in ${refused?.message}`)
  if (refused || !translation.needsPreparation) return
  try {
    await translation.prepareWith(LOOKUPS)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 400) return
    throw error
  }
  const late = refusalOf(translation)
  if (late) throw new Broken('what stored data is filled into is what the contract takes', late.message)
}

/** The error of the newest contract for the calls that an older request becomes, in the terms of its caller's version. */
function refusalOf(translation: Translation): ServiceError | undefined {
  for (const call of translation.calls) {
    try {
      sharedValidator().validate(call.operation, call, [], translation.ignoresKey)
    } catch (error) {
      const located = translation.relocate(error, call)
      if (!(located instanceof ServiceError)) throw located
      return located
    }
  }
  return undefined
}

/** Half of all ids are known: databases have none, one or two data sources. */
const LOOKUPS: Lookups = {
  parentsAround: (ids) => Promise.resolve(new Map(knownOf(ids).map((id) => [id, { type: 'page_id', page_id: ID.page }]))),
  dataSourcesOf: (ids) =>
    Promise.resolve(
      new Map(knownOf(ids).map((id) => [id, [dataSource(), dataSource({ id: ID.otherDataSource })].slice(numberOf(id) % 3)])),
    ),
  databasesOf: (ids) => Promise.resolve(new Map(knownOf(ids).map((id) => [id, databaseWith([dataSource()])]))),
}

function knownOf(ids: readonly string[]): string[] {
  return ids.filter((id) => numberOf(id) % 2 === 0)
}

function numberOf(id: string): number {
  return [...id].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0)
}

/** Whether a path exists, except that its last step may be missing. */
function isPathIn(body: unknown, path: string): boolean {
  if (!path.startsWith('body')) return true
  let [node, rest] = [body, path.slice('body'.length)]
  while (rest !== '') {
    const index = /^\[(\d+)\]/.exec(rest)
    if (index) {
      if (!Array.isArray(node) || Number(index[1]) >= node.length) return rest === index[0]
      node = node[Number(index[1])]
      rest = rest.slice(index[0].length)
      continue
    }
    if (!isObject(node)) return /^(?:\.[^.[]+|\[[^[]+\])$/.test(rest)
    const keys = Object.keys(node).filter((one) => rest.startsWith(`.${one}`) && /^(?:[.[]|$)/.test(rest.slice(one.length + 1)))
    const key = keys.toSorted((one, other) => other.length - one.length)[0]
    if (key === undefined) return /^\.[^.[]+$/.test(rest)
    node = node[key]
    rest = rest.slice(key.length + 1)
  }
  return true
}

async function checkResponse({ version, operation, body }: Case): Promise<void> {
  if (!isObject(body) || !acceptsResponse(operation, body)) return
  const before = JSON.stringify(body)
  const translation = new Translation(version, operations[operation], { path: {}, query: {}, body: undefined })
  await translation.downgrade(body, LOOKUPS)
  if (JSON.stringify(body) !== before) throw new Broken('the response itself stays unchanged')
}

/** Whether the newest release allows this response. */
function acceptsResponse(id: OperationId, body: unknown): boolean {
  const { path, method } = operations[id]
  const { paths, components } = publicContract()
  const declared = paths[path]?.[method]?.responses?.['200']
  const schema = declared && resolve(declared, components.responses).content?.['application/json']?.schema
  return schema !== undefined && validatorOf(schema)(body)
}

/** Every example of the contract, at every version. */
function examples(): Case[] {
  const { paths, components } = publicContract()
  const valuesOf = (content: DeclaredContent | undefined): unknown[] =>
    Object.values(content?.['application/json']?.examples ?? {}).map((one) => resolve(one, components.examples).value)
  return Object.values(operations).flatMap(({ id, path, method }) => {
    const declared = paths[path]?.[method]
    const response = declared?.responses?.['200']
    const cases = [
      ...valuesOf(declared?.requestBody?.content).map((body) => ({ kind: 'request' as const, body })),
      ...valuesOf(response && resolve(response, components.responses).content).map((body) => ({
        kind: 'response' as const,
        body,
      })),
    ]
    return cases.flatMap((one) => releaseDates.map((version) => ({ version, operation: id, ...one })))
  })
}

type DeclaredContent = NonNullable<DeclaredResponse['content']>

function keysOfContract(): string[] {
  const keys = new Set<string>()
  JSON.stringify(examples(), (key, value: unknown) => {
    keys.add(key)
    return value
  })
  return [...keys].filter((key) => !/^\d*$/.test(key))
}
