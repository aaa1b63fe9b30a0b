import { operations, type Operation } from '../../../generated/operations.ts'
import type { DatedContract } from '../dated_contract.ts'
import type { Run } from '../run.ts'
import type { RequestInput, ConformClient } from './conform_client.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

export const GHOST = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'
const REFUSED_MIN = 400

/** A request that has to be refused. */
interface BadRequest {
  readonly place: string
  readonly keyword: string
  readonly input: RequestInput
}

/** Sends a request with each fault that can be planted in it, and reports if the server accepts one. */
export async function checkRefusals(
  client: ConformClient,
  run: Run,
  operation: Operation,
  good: RequestInput,
  contract: DatedContract,
): Promise<void> {
  const bad = [...badPaths(operation, good), ...badQueries(operation, good, contract), ...badBodies(operation, good)]
  for (const { place, keyword, input } of bad) {
    const { status, exchange } = await client.call(operation, input)
    if (status < REFUSED_MIN) report(run, operation.id, place, keyword, exchange)
  }
}

function report(run: Run, operation: string, place: string, keyword: string, exchange: Parameters<Run['report']>[1]): void {
  run.report({ rule: 'accepted-request', operation, place, keyword, text: 'should have been refused' }, exchange)
}

export function badPaths({ pathParameters }: Operation, good: RequestInput): BadRequest[] {
  return pathParameters.flatMap((name) => [
    { place: `path.${name}`, keyword: 'existence', input: { ...good, path: { ...good.path, [name]: GHOST } } },
    { place: `path.${name}`, keyword: 'format', input: { ...good, path: { ...good.path, [name]: 'no-such-id' } } },
  ])
}

function badQueries(operation: Operation, good: RequestInput, contract: DatedContract): BadRequest[] {
  const planted = contract
    .parameters(operation)
    .filter((one) => one.in === 'query')
    .flatMap(({ name, schema }): (readonly [string, string])[] => {
      if (name === 'start_cursor') return [[name, 'no-such-cursor']]
      const type = typeOf(schema, contract)
      return type?.['type'] === 'integer' ? integersBeyond(type).map((value) => [name, value] as const) : []
    })
  return [...planted, ['no_such_parameter', '1'] as const].map(([name, value]) => ({
    place: `query.${name}`,
    keyword: 'value',
    input: { ...good, query: { ...good.query, [name]: value } },
  }))
}

function typeOf(schema: object, contract: DatedContract): Record<string, unknown> | undefined {
  const resolved = contract.resolve(schema)
  return isObject(resolved) ? resolved : undefined
}

function integersBeyond({ minimum, maximum }: Record<string, unknown>): string[] {
  const below = typeof minimum === 'number' && Number.isSafeInteger(minimum - 1) ? [String(minimum - 1)] : []
  const above = typeof maximum === 'number' && Number.isSafeInteger(maximum + 1) ? [String(maximum + 1)] : []
  return [...below, ...above, 'x', '1.5']
}

function badBodies({ requestTypes, pagination }: Operation, good: RequestInput): BadRequest[] {
  if (!requestTypes.includes('application/json')) return []
  const { body: _body, ...rest } = good
  const cursor = pagination?.in === 'body' ? [{ start_cursor: 'no-such-cursor' }, { page_size: 0 }, { page_size: 101 }] : []
  return [
    { place: 'body', keyword: 'json', input: { ...rest, text: '{"a":' } },
    { place: 'body', keyword: 'type', input: { ...rest, text: '[]' } },
    ...[{ no_such_key: 1 }, ...cursor].map((body) => ({
      place: `body.${Object.keys(body).join()}`,
      keyword: 'value',
      input: { ...rest, body },
    })),
  ]
}

/** Faults that belong to no operation: in credentials, version, path and method. */
export async function checkCommonRefusals(client: ConformClient, run: Run): Promise<void> {
  const { path, id } = operations.retrieveMe
  const bad: readonly (readonly [method: string, path: string, place: string, input: RequestInput])[] = [
    ['GET', path, 'header Authorization', { headers: { authorization: undefined } }],
    ['GET', path, 'header Authorization', { headers: { authorization: 'Bearer no-such-token' } }],
    ['GET', path, 'header Service-Version', { headers: { 'service-version': undefined } }],
    ['GET', path, 'header Service-Version', { version: '1999-01-01' }],
    ['GET', path, 'header Service-Version', { version: 'newest' }],
    ['GET', `${path}/no-such-path`, 'path', {}],
    ['PUT', path, 'method', {}],
  ]
  for (const [method, target, place, input] of bad) {
    const { status, exchange } = await client.send(method, target, input)
    if (status < REFUSED_MIN) report(run, method === 'GET' && target === path ? id : '-', place, 'value', exchange)
  }
}
