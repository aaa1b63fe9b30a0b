import { newestRelease } from '../../generated/operations.ts'
import type { ReleaseDate } from '../../generated/types.ts'
import type { RouteMatch } from '@workspace-service/server/contract/operation.ts'
import type { DatedContract, DeclaredParameter, ValueProblem } from './dated_contract.ts'
import { queryOf, type RecordedExchange } from './exchange.ts'
import type { UnattributedFinding } from './finding.ts'
import { locationAt } from './locations.ts'
import type { ReadBody } from './read_body.ts'

type RequestProblem = Omit<UnattributedFinding, 'rule'>

/** @returns why the contract refuses a request; undefined if it allows it */
export function requestProblem(
  route: RouteMatch,
  exchange: RecordedExchange,
  body: ReadBody | undefined,
  contract: DatedContract,
  date: ReleaseDate,
): RequestProblem | undefined {
  const parameters = contract.parameters(route.operation)
  for (const parameter of parameters) {
    const problem = parameterProblem(parameter, textsOf(parameter, route, exchange), contract)
    if (problem) return problem
  }
  return unknownParameter(parameters, exchange, date) ?? bodyProblem(route, body, contract)
}

function textsOf({ name, in: where }: DeclaredParameter, { pathParameters }: RouteMatch, exchange: RecordedExchange): string[] {
  if (where === 'path') return [pathParameters[name] ?? '']
  if (where === 'query') return queryOf(exchange.target).getAll(name)
  return where === 'header' ? [exchange.requestHeaders[name.toLowerCase()] ?? []].flat() : []
}

function parameterProblem(
  { name, in: where, required = false, schema }: DeclaredParameter,
  texts: readonly string[],
  contract: DatedContract,
): RequestProblem | undefined {
  const place = where === 'header' ? `header ${name}` : `${where}.${name}`
  if (texts.length === 0) return required ? { place, keyword: 'required', text: 'is missing' } : undefined
  const problem = contract.problemOfText(schema, texts)
  return problem && at(place, problem)
}

/** An unknown query parameter, for the newest release only: older releases ignore unknown keys. */
function unknownParameter(
  parameters: readonly DeclaredParameter[],
  { target }: RecordedExchange,
  date: ReleaseDate,
): RequestProblem | undefined {
  if (date !== newestRelease) return undefined
  const known = new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => name))
  const unknown = [...queryOf(target).keys()].find((name) => !known.has(name))
  return unknown === undefined
    ? undefined
    : { place: `query.${unknown}`, keyword: 'additionalProperties', text: 'is not a parameter of the operation' }
}

function bodyProblem({ operation }: RouteMatch, body: ReadBody | undefined, contract: DatedContract): RequestProblem | undefined {
  const content = contract.operation(operation)?.requestBody?.content
  if (!body || !content) return undefined
  if (body.text === '') return operation.bodyRequired ? { place: 'body', keyword: 'required', text: 'is missing' } : undefined
  const media = body.type === undefined ? undefined : content[body.type]
  if (!media)
    return { place: 'header Content-Type', keyword: 'content', text: `${body.type ?? 'none'} is not a type of the body` }
  if (body.type !== 'application/json') return undefined
  if (body.value === undefined) return { place: 'body', keyword: 'json', text: 'is not JSON' }
  const problem = contract.problemOf(media.schema, structuredClone(body.value), true)
  return problem && at('body', problem)
}

function at(place: string, { pointer, keyword, text }: ValueProblem): RequestProblem {
  return { place: locationAt(place, pointer), keyword, text }
}
