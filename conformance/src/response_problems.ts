import type { Operation } from '@workspace-service/server/contract/operation.ts'
import { DatedContract, type DeclaredMedia, type DeclaredResponse } from './dated_contract.ts'
import { eventFrames } from './event_frames.ts'
import type { RecordedExchange } from './exchange.ts'
import type { UnattributedFinding } from './finding.ts'
import { locationAt } from './locations.ts'
import { countValues } from '../../client/src/limits.ts'
import { bodyLimits, parsed, type ReadBody } from './read_body.ts'

const FAILURE_MIN = 400

/** The problems of a response by the contract of its operation. */
export function responseProblems(
  operation: Operation,
  exchange: RecordedExchange,
  body: ReadBody | undefined,
  contract: DatedContract,
): UnattributedFinding[] {
  const response = contract.response(operation, exchange.status)
  if (!response) return [{ rule: 'status', place: 'status', keyword: String(exchange.status), text: 'is not described' }]
  const headers = [...headerProblems(response, exchange, contract), ...versionProblem(exchange)]
  return body && exchange.method !== 'HEAD' ? [...headers, ...bodyProblems(response, exchange, body, contract)] : headers
}

function headerProblems(
  response: DeclaredResponse,
  { responseHeaders }: RecordedExchange,
  contract: DatedContract,
): UnattributedFinding[] {
  const declared = Object.entries(response.headers ?? {}).map(([name, header]) => [name, contract.resolve(header)] as const)
  const names = new Set(declared.map(([name]) => name.toLowerCase()))
  const undeclared = [...headersOfContract()]
    .filter(([key]) => responseHeaders[key] !== undefined && !names.has(key))
    .map(([, name]): UnattributedFinding => ({
      rule: 'header',
      place: `header ${name}`,
      keyword: 'undeclared',
      text: 'is not described here',
    }))
  return [
    ...undeclared,
    ...declared.flatMap(([name, { required = false, schema }]): UnattributedFinding[] => {
      const value = responseHeaders[name.toLowerCase()]
      const place = `header ${name}`
      if (value === undefined) return required ? [{ rule: 'header', place, keyword: 'required', text: 'is missing' }] : []
      const problem = contract.problemOfText(schema, [value].flat())
      return problem ? [{ rule: 'header', place, keyword: problem.keyword, text: problem.text }] : []
    }),
  ]
}

let known: ReadonlyMap<string, string> | undefined

/** Every header that the contract describes, by its name in lower case. */
function headersOfContract(): ReadonlyMap<string, string> {
  if (known) return known
  const contract = DatedContract.of()
  const paths = Object.values(contract.document.paths).flatMap((item) => Object.values(item))
  const names = paths
    .flatMap((operation) => Object.values((operation as { responses?: Record<string, DeclaredResponse> }).responses ?? {}))
    .flatMap((response) => Object.keys(contract.resolve(response).headers ?? {}))
  known = new Map(names.map((name) => [name.toLowerCase(), name]))
  return known
}

/** A response must be in the requested release. */
function versionProblem({ requestHeaders, responseHeaders, status }: RecordedExchange): UnattributedFinding[] {
  const [input, actual] = [requestHeaders['service-version'], responseHeaders['service-version']]
  if (status >= FAILURE_MIN || input === undefined || actual === undefined || input === actual) return []
  return [{ rule: 'header', place: 'header Service-Version', keyword: 'const', text: 'is not the version of the request' }]
}

function bodyProblems(
  response: DeclaredResponse,
  exchange: RecordedExchange,
  body: ReadBody,
  contract: DatedContract,
): UnattributedFinding[] {
  const { content } = response
  if (!content) return body.text === '' ? [] : [{ rule: 'body', place: 'body', keyword: 'absent', text: 'should not be present' }]
  const media = body.type === undefined ? undefined : content[body.type]
  if (!media)
    return [
      { rule: 'media-type', place: 'header Content-Type', keyword: 'content', text: `${body.type ?? 'none'} is not described` },
    ]
  if (body.type === 'text/event-stream') return frameProblems(media, body, contract)
  if (body.type !== 'application/json') return []
  if (body.value === undefined) return [{ rule: 'body', place: 'body', keyword: 'json', text: 'is not JSON' }]
  const problem = contract.problemOf(media.schema, body.value)
  if (problem) {
    const { pointer, keyword, text } = problem
    return [{ rule: 'body', place: locationAt('body', pointer), keyword, text }]
  }
  return repetitionProblems(exchange, body.value)
}

/** The first frame of a stream that violates the contract. */
function frameProblems({ schema }: DeclaredMedia, { text }: ReadBody, contract: DatedContract): UnattributedFinding[] {
  for (const data of eventFrames(text)) {
    if (typeof countValues(data, bodyLimits) === 'string') continue
    const frame = parsed(data)
    if (frame === undefined) return [{ rule: 'body', place: 'frame', keyword: 'json', text: 'is not JSON' }]
    const problem = contract.problemOf(schema, frame)
    if (problem)
      return [{ rule: 'body', place: locationAt('frame', problem.pointer), keyword: problem.keyword, text: problem.text }]
  }
  return []
}

/** Problems of members of a body that repeat the status or a header. */
function repetitionProblems({ status, responseHeaders }: RecordedExchange, value: unknown): UnattributedFinding[] {
  if (typeof value !== 'object' || value === null) return []
  const problems: UnattributedFinding[] = []
  if (status >= FAILURE_MIN && 'status' in value && value.status !== status)
    problems.push({ rule: 'body', place: 'body.status', keyword: 'const', text: 'is not the status of the response' })
  const id = responseHeaders['x-service-request-id']
  const isReplay = responseHeaders['idempotency-replayed'] !== undefined
  if (!isReplay && id !== undefined && 'request_id' in value && value.request_id !== id)
    problems.push({ rule: 'body', place: 'body.request_id', keyword: 'const', text: 'is not the id in X-Service-Request-Id' })
  return problems
}
