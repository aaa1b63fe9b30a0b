import { operations, type Operation } from '../../../generated/operations.ts'
import { DatedContract, type DeclaredParameter } from '../dated_contract.ts'
import type { RequestInput } from './conform_client.ts'
import { type IdPool } from './id_pool.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

const all: readonly Operation[] = Object.values(operations)

/** Operations for bearer tokens that change nothing: they need only read capabilities, and create nothing that has to be deleted. */
export const readingOperations = all.filter(
  (operation) =>
    operation.method === 'get' || (operation.method === 'post' && onlyReads(operation) && !makesSomething(operation)),
)

function onlyReads({ capability }: Operation): boolean {
  if (capability === 'none') return false
  const names = 'all' in capability ? capability.all : capability.any
  return names.length > 0 && names.every((name) => name.startsWith('read_'))
}

function makesSomething({ path }: Operation): boolean {
  return all.some((other) => other.method === 'delete' && other.path.startsWith(`${path}/{`))
}

/** Why a run with a bearer token cannot call an operation; undefined if it can. */
export function reasonAgainst({ credentials }: Operation): string | undefined {
  if (credentials === 'none') return 'it serves browsers'
  if (credentials === 'client') return 'it requires a client id and secret'
  return undefined
}

/** The ids for the path of an operation that the server has shown: one record for each address. */
export function addressesOf({ pathParameters }: Operation, pool: IdPool): readonly Readonly<Record<string, string>>[] {
  const last = pathParameters.at(-1)
  if (last === undefined) return [{}]
  return pool.idsOf(last).flatMap(({ value, beside }) => {
    const path = Object.fromEntries(pathParameters.map((name) => [name, name === last ? value : beside[name]]))
    return isWhole(path) ? [path] : []
  })
}

function isWhole(path: Readonly<Record<string, string | undefined>>): path is Record<string, string> {
  return Object.values(path).every((value) => value !== undefined)
}

/** Requests to one address: with only the required parameters, with each optional parameter in turn, and with each example of the body. */
export function variantsOf(
  operation: Operation,
  pool: IdPool,
  contract: DatedContract,
  samples: number,
): readonly RequestInput[] {
  const parameters = contract.parameters(operation).filter((one) => one.in === 'query' && one.name !== 'start_cursor')
  const required = parameters.filter((one) => one.required === true)
  const bases = required.reduce<readonly Record<string, string>[]>(
    (queries, one) => queries.flatMap((query) => valuesOf(one, pool, contract).map((value) => ({ ...query, [one.name]: value }))),
    [{}],
  )
  const [base = {}] = bases
  const optional = parameters
    .filter((one) => one.required !== true)
    .flatMap((one) =>
      valuesOf(one, pool, contract)
        .slice(0, 2)
        .map((value) => ({ ...base, [one.name]: value })),
    )
  const takesBody = operation.requestTypes.includes('application/json')
  const examples = takesBody
    ? contract.requestExamples(operation).map(([, body]) => ({ query: base, body: withoutCursor(body) }))
    : []
  const plain = takesBody ? { body: {} } : {}
  return [
    ...bases.slice(0, samples).map((query) => ({ query, ...plain })),
    ...optional.map((query) => ({ query, ...plain })),
    ...examples,
  ]
}

/** Removes the cursor of an example, which belongs to no list of the server. */
function withoutCursor(body: unknown): unknown {
  if (!isObject(body)) return body
  const { start_cursor: _cursor, ...rest } = body
  return rest
}

function valuesOf({ name, schema, example }: DeclaredParameter, pool: IdPool, contract: DatedContract): string[] {
  const ids = pool.idsOf(name).map(({ value }) => value)
  if (ids.length > 0 || name.endsWith('_id')) return ids
  if (example !== undefined) return [String(example)]
  const one = choiceOf(contract.resolve<object>(schema), contract)
  return one === undefined ? [] : [String(one)]
}

/** A value that a schema lists. */
function choiceOf(schema: object, contract: DatedContract): unknown {
  if ('enum' in schema && Array.isArray(schema.enum)) return schema.enum[0]
  if ('const' in schema) return schema.const
  return 'items' in schema && isObject(schema.items) ? choiceOf(contract.resolve<object>(schema.items), contract) : undefined
}
