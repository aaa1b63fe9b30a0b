import { newestRelease, operations, releaseDates } from '../../generated/operations.ts'
import type { ReleaseDate } from '../../generated/types.ts'
import { findRoute, type Operation } from '@workspace-service/server/contract/operation.ts'
import { responseProblems } from './response_problems.ts'
import { DatedContract } from './dated_contract.ts'
import { segmentsOf, type RecordedExchange } from './exchange.ts'
import type { Finding, UnattributedFinding } from './finding.ts'
import type { BrandForms } from './brand_forms.ts'
import { readBody, type ReadBody } from './read_body.ts'
import { requestProblem } from './request_problem.ts'

export interface ExchangeCheck {
  /** Undefined if the request matches no operation. */
  readonly operation: Operation | undefined
  readonly findings: readonly Finding[]
  /** The body of the response; undefined if it exceeds the limits or is in a form that is not checked. */
  readonly response: ReadBody | undefined
  /** Whether a body was too long, or in a form that is not checked. */
  readonly hasUncheckedBody: boolean
}

const SUCCESS_MAX = 399
/** The top folders of the paths in the contract, such as `v1`. */
const FOLDERS = new Set(Object.values(operations).map(({ path }) => path.split('/')[1]))

/** Whether the contract covers a request: other pages and files are up to the server. */
export function isCovered({ method, target }: Pick<RecordedExchange, 'method' | 'target'>): boolean {
  return method !== 'OPTIONS' && FOLDERS.has(segmentsOf(target)[0])
}

/**
 * Checks an exchange against the contract of its release.
 * @param forms translates the values of a brand; its header names have been translated
 */
export function checkExchange(exchange: RecordedExchange, forms?: BrandForms): ExchangeCheck {
  const { method, target, status } = exchange
  const match = findRoute(method, segmentsOf(target))
  const route = match && 'operation' in match ? match : undefined
  const date = dateOf(exchange)
  const contract = DatedContract.of(date)
  const read = readBody(exchange.responseBody, exchange.responseHeaders)
  const response = forms && route ? forms.response(route.operation.id, read) : read
  const isServed = route !== undefined && contract.operation(route.operation) !== undefined
  const problems: UnattributedFinding[] = []
  let hasUncheckedBody = response === undefined
  if (isServed) {
    const sent = readBody(exchange.requestBody, exchange.requestHeaders)
    const request = forms ? forms.request(route.operation.id, sent) : sent
    hasUncheckedBody ||= request === undefined
    const problem = requestProblem(route, exchange, request, contract, date)
    if (problem && status <= SUCCESS_MAX) problems.push({ ...problem, rule: 'accepted-request' })
    problems.push(...responseProblems(route.operation, exchange, response, contract))
  } else if (status <= SUCCESS_MAX) {
    problems.push(unknownOperation(exchange, date))
  } else {
    // An operation that a release lacks is refused like an unknown path.
    problems.push(...responseProblems(route?.operation ?? operations.retrieveMe, exchange, response, DatedContract.of()))
  }
  const operation = route?.operation
  return { operation, response, hasUncheckedBody, findings: problems.map((one) => ({ ...one, operation: operation?.id ?? '-' })) }
}

function unknownOperation({ method, target }: RecordedExchange, date: ReleaseDate): UnattributedFinding {
  const place = `${method} ${segmentsOf(target).map(withoutId).join('/')}`
  return { rule: 'unknown-operation', place, keyword: 'paths', text: `is not an operation of the contract of ${date}` }
}

function withoutId(segment: string): string {
  return /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(segment) ? '{id}' : segment
}

/** The release in the response, or else the requested one. */
function dateOf({ requestHeaders, responseHeaders }: RecordedExchange): ReleaseDate {
  const named = [responseHeaders['service-version'], requestHeaders['service-version']]
  return releaseDates.find((date) => named[0] === date) ?? releaseDates.find((date) => named[1] === date) ?? newestRelease
}
