import { operations, type Operation } from '../../generated/operations.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { newestRelease, releaseDates } from '../../server/versions/index.ts'
import type { TestResponse } from './responses.ts'
import type { CallParts } from './caller.ts'
import { publicContract, resolve, type DeclaredParameter } from './contract.ts'

/** For tests of rules that apply to every operation: requests and parameters taken from the contract. */

export type KnownOperation = Operation & { readonly id: OperationId }

/** A well-formed id that no record has. */
export const GHOST = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'

export const allOperations: readonly KnownOperation[] = Object.values(operations)

/** The operations that accept one of these kinds of credentials. */
export function servedWith(...credentials: readonly Operation['credentials'][]): readonly KnownOperation[] {
  return allOperations.filter((operation) => credentials.includes(operation.credentials))
}

/**
 * A valid request: its path, required query and body are examples of the contract. Its version is the newest release that has the
 * operation.
 */
export function exampleCall(operation: KnownOperation): CallParts & { readonly path: Record<string, string> } {
  return {
    path: examplePath(operation),
    query: exampleQuery(operation),
    headers: { 'Service-Version': versionOf(operation) },
    ...exampleBody(operation),
  }
}

/** The newest release date at which an operation exists. */
export function versionOf({ available: { before } }: Operation): string {
  return releaseDates.filter((date) => before === undefined || date < before).at(-1) ?? newestRelease
}

/** The request target of an operation, without a query. */
export function targetOf(operation: Operation, path: Readonly<Record<string, string>> = examplePath(operation)): string {
  return operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''))
}

/** A form with a file, for operations that accept only forms. */
export const exampleForm = {
  type: 'multipart/form-data; boundary=edge',
  text: '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n--edge--\r\n',
}

export function takesForm({ requestTypes }: Operation): boolean {
  return requestTypes.length === 1 && requestTypes[0] === 'multipart/form-data'
}

function examplePath({ pathParameters }: Operation): Record<string, string> {
  const known = Object.values(publicContract().components.parameters)
  return Object.fromEntries(
    pathParameters.map((name) => [name, exampleOf(known.find((one) => one.in === 'path' && one.name === name))]),
  )
}

/** Like `examplePath`, with ids that no record has. */
export function ghostPath(operation: Operation): Record<string, string> {
  const ids = new Set(idParameters(operation))
  return Object.fromEntries(Object.entries(examplePath(operation)).map(([name, value]) => [name, ids.has(name) ? GHOST : value]))
}

/** The path parameters that must be UUIDs. */
export function idParameters({ pathParameters }: Operation): string[] {
  const { parameters, schemas } = publicContract().components
  return pathParameters.filter((name) => {
    const declared = Object.values(parameters).find((one) => one.in === 'path' && one.name === name)
    const schema = declared && resolve(declared.schema, schemas)
    return schema && 'x-expectation' in schema && schema['x-expectation'] === 'a valid uuid'
  })
}

/** Operations that need one of several optional parameters, with the one that examples use. */
const ONE_OF_SEVERAL: Partial<Record<string, string>> = { listDatabaseViews: 'database_id' }

function exampleQuery({ id, path, method }: Operation): Record<string, string> {
  const { paths, components } = publicContract()
  const declared = (paths[path]?.[method]?.parameters ?? []).map((one) => resolve(one, components.parameters))
  return Object.fromEntries(
    declared
      .filter((one) => one.in === 'query' && (one.required === true || one.name === ONE_OF_SEVERAL[id]))
      .map((one) => [one.name, exampleOf(one)]),
  )
}

function exampleBody({ path, method }: Operation): { body?: unknown } {
  const { paths, components } = publicContract()
  const [first] = Object.values(paths[path]?.[method]?.requestBody?.content?.['application/json']?.examples ?? {})
  return first === undefined ? {} : { body: resolve(first, components.examples).value }
}

function exampleOf(parameter: DeclaredParameter | undefined): string {
  if (parameter?.example === undefined) throw new Error(`the contract has no example of ${parameter?.name ?? 'a parameter'}`)
  return String(parameter.example)
}

export function takesJson({ requestTypes }: Operation): boolean {
  return requestTypes.includes('application/json')
}

export function takesKey({ headerParameters }: Operation): boolean {
  return headerParameters.includes('Idempotency-Key')
}

/** The outcome of each operation, such as `409 conflict_error`, as one object, so that a failure shows all differences. */
export async function outcomes(
  operations: readonly KnownOperation[],
  send: (operation: KnownOperation) => Promise<TestResponse>,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const operation of operations) {
    const { status, body } = await send(operation)
    found[operation.id] = [status, body['code']].filter((part) => part !== undefined).join(' ')
  }
  return found
}

/** The same outcome for each operation, to compare with `outcomes`. */
export function each(operations: readonly KnownOperation[], outcome: string): Record<string, string> {
  return Object.fromEntries(operations.map(({ id }) => [id, outcome]))
}
