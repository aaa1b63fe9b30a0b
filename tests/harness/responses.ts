import type { IncomingHttpHeaders } from 'node:http'
import { operations } from '../../generated/operations.ts'
import { replaceEmptyArrays } from '../../server/contract/empty_arrays.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { newestRelease, releaseDates } from '../../server/versions/index.ts'
import { publicContract, resolve, validatorOf, type DeclaredResponse, type PublicContract } from './contract.ts'
import { parseObject, type JsonObject } from './json.ts'
import { markSeen } from './seen.ts'
import { markValuesOfResponse } from './seen_values.ts'

export interface TestResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The bytes of the body as text. */
  readonly text: string
  /** The bytes of the body. */
  readonly bytes?: Buffer
  /** The parsed body; `{}` for a response without one (HEAD, preflight) and for a page. */
  readonly body: JsonObject
}

export type RawResponse = Omit<TestResponse, 'body'>

/**
 * Checks a response against the public contract: status, content type, headers and body.
 * @param operation the called operation; undefined if the request reached none
 * @throws Error listing the violations
 */
export function checked(operation: OperationId | undefined, method: string, raw: RawResponse): TestResponse {
  const response = readResponse(operation, raw)
  const problems = problemsOf(operation, method, response)
  if (problems.length > 0)
    throw new Error(
      `${operation ?? 'no operation'} responded with ${raw.status} in violation of the contract:\n${problems.join('\n')}\n${raw.text.slice(0, 2000)}`,
    )
  if (operation !== undefined) {
    markSeen(operation, raw.status)
    const code = codeOf(response)
    if (code !== undefined) markSeen(operation, code)
    markValuesOfResponse(response.body)
  }
  return response
}

/** The contract violations of a response from any server. Does not record the response as seen. */
export function contractProblems(operation: OperationId | undefined, method: string, raw: RawResponse): string[] {
  return problemsOf(operation, method, readResponse(operation, raw))
}

function readResponse(operation: OperationId | undefined, raw: RawResponse): TestResponse {
  const isPage = operation !== undefined && operations[operation].credentials === 'none'
  return { ...raw, body: raw.text === '' || isPage ? {} : parseObject(raw.text) }
}

function problemsOf(operation: OperationId | undefined, method: string, response: TestResponse): string[] {
  return operation === undefined ? generalProblems(response, method) : operationProblems(operation, response, method)
}

/** Checks the headers of every response, including pages. */
function commonHeaderProblems(response: TestResponse): string[] {
  const problems: string[] = []
  if (response.headers['x-service-request-id'] === undefined) problems.push('no X-Service-Request-Id')
  if (response.headers['cache-control'] !== 'no-store') problems.push('Cache-Control is not no-store')
  if (response.headers['x-content-type-options'] !== 'nosniff') problems.push('X-Content-Type-Options is not nosniff')
  if (response.headers['strict-transport-security'] === undefined) problems.push('no Strict-Transport-Security')
  return problems
}

/** Checks the rules for every API response, including those that belong to no operation. */
function generalProblems(response: TestResponse, method: string, errorSchema = '#/components/schemas/ErrorObject'): string[] {
  const problems = commonHeaderProblems(response)
  if (method === 'HEAD' || response.status === 204)
    return response.text === '' ? problems : [...problems, 'a body where there should be none']
  if (response.headers['content-type'] !== 'application/json; charset=utf-8')
    problems.push(`content type ${response.headers['content-type']}`)
  const isReplay = response.headers['idempotency-replayed'] !== undefined
  if ((response.body['request_id'] === response.headers['x-service-request-id']) === isReplay)
    problems.push('the id of the request is not as it should be')
  if (response.status >= 400) {
    problems.push(...schemaProblems({ $ref: errorSchema }, response.body, 'body'))
    if (response.body['status'] !== response.status) problems.push('status differs between line and body')
  }
  return problems
}

function operationProblems(id: OperationId, received: TestResponse, method: string): string[] {
  const contract = contractOf(received)
  const response = declaredResponse(id, received.status, contract)
  if (!response) return [`status ${received.status} is not declared`]
  const { credentials } = operations[id]
  if (credentials === 'none')
    return [
      ...commonHeaderProblems(received),
      ...headerProblems(response, received, contract),
      ...pageProblems(response, received, method),
    ]
  const general =
    credentials === 'client'
      ? generalProblems(received, method, '#/components/schemas/OAuthErrorObject')
      : generalProblems(received, method)
  const problems = [...general, ...headerProblems(response, received, contract), ...codeProblems(id, received)]
  const json = response.content?.['application/json']
  if (method === 'HEAD') return problems
  if (!json) return [...problems, 'the contract declares no JSON here']
  return [...problems, ...schemaProblems(json.schema, received.body, 'body', contract)]
}

/** The code of an error in a body: OAuth endpoints name it `error`. */
function codeOf({ status, body }: TestResponse): string | undefined {
  const code = body['error'] ?? body['code']
  return status >= 400 && typeof code === 'string' ? code : undefined
}

/** Checks that an operation returns only error codes that it lists. */
function codeProblems(id: OperationId, response: TestResponse): string[] {
  const { path, method } = operations[id]
  const code = codeOf(response)
  const listed = publicContract().paths[path]?.[method]?.['x-error-codes'] ?? []
  return code === undefined || listed.includes(code) ? [] : [`${id} does not list the error code ${code}`]
}

/** The contract as of the release of the response. */
function contractOf({ headers }: TestResponse): PublicContract {
  const date = releaseDates.find((known) => known === headers['service-version'])
  return date === undefined || date === newestRelease ? publicContract() : publicContract(date)
}

/**
 * Checks an accepted body against the contract of the request's release.
 * @param text the JSON as it was sent
 * @throws Error listing the violations
 */
export function checkAccepted(operation: OperationId, text: string | undefined, raw: RawResponse): void {
  if (raw.status >= 400 || text === undefined) return
  const response = readResponse(operation, raw)
  const contract = contractOf(response)
  const { path, method } = operations[operation]
  const schema = contract.paths[path]?.[method]?.requestBody?.content?.['application/json']?.schema
  if (schema === undefined) return
  const body: unknown = JSON.parse(text)
  const validate = validatorOf(schemaKey(schema, contract), contract)
  while (!validate(body) && replaceEmptyArrays(validate.errors ?? [], body));
  const problems = schemaProblems(schema, body, 'body', contract)
  if (problems.length > 0)
    throw new Error(
      `${operation} accepted at ${String(raw.headers['service-version'])} against the contract:\n${problems.join('\n')}\n${text.slice(0, 2000)}`,
    )
}

/** Checks a page for people, or a redirect without a body. */
function pageProblems(response: DeclaredResponse, { headers, text }: TestResponse, method: string): string[] {
  if (headers['content-type'] !== 'text/html; charset=utf-8') return [`content type ${headers['content-type']}`]
  if (method === 'HEAD' || response.content === undefined) return text === '' ? [] : ['a body where there should be none']
  return text.startsWith('<!doctype html>') ? [] : ['no page']
}

function declaredResponse(id: OperationId, status: number, contract: PublicContract): DeclaredResponse | undefined {
  const { path, method } = operations[id]
  const declared = contract.paths[path]?.[method]?.responses?.[String(status)]
  if (declared) return resolve(declared, contract.components.responses)
  // An operation that a release lacks responds with an error that the newest contract declares.
  return status < 400 || contract === publicContract() ? undefined : declaredResponse(id, status, publicContract())
}

/** The names of all headers that the contract defines. */
const contractHeaders = [
  'service-version',
  'service-beta',
  'sunset',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'allow',
  'idempotency-replayed',
  'pragma',
  'location',
]

function headerProblems(response: DeclaredResponse, { headers }: TestResponse, contract: PublicContract): string[] {
  const declared = Object.entries(response.headers ?? {}).map(
    ([name, header]) => [name.toLowerCase(), resolve(header, contract.components.headers)] as const,
  )
  const undeclared = contractHeaders.filter((name) => headers[name] !== undefined && !declared.some(([known]) => known === name))
  const problems = undeclared.map((name) => `header ${name} is not declared`)
  for (const [name, { required = false, schema }] of declared) {
    const value = headers[name]
    if (value === undefined) {
      if (required) problems.push(`header ${name} is missing`)
    } else {
      problems.push(...schemaProblems(schema, headerValue(schema, String(value), contract), `header ${name}`, contract))
    }
  }
  return problems
}

/** The value of a header in the type of its schema. */
function headerValue(schema: object, text: string, contract: PublicContract): unknown {
  const resolved = resolve(schema, contract.components.schemas)
  const type = 'type' in resolved ? resolved.type : undefined
  if (type === 'integer' && /^\d+$/.test(text)) return Number(text)
  return type === 'boolean' ? text === 'true' : text
}

function schemaProblems(schema: object, value: unknown, location: string, contract = publicContract()): string[] {
  const validate = validatorOf(schemaKey(schema, contract), contract)
  if (validate(value)) return []
  return (validate.errors ?? [])
    .slice(0, 20)
    .map((error) => `${location}${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`)
}

const schemasByRef = new WeakMap<PublicContract, Map<string, object>>()

/** One object for each reference and contract, so that its validator is compiled once. */
function schemaKey(schema: object, contract: PublicContract): object {
  if (!('$ref' in schema) || typeof schema.$ref !== 'string') return schema
  const byRef = schemasByRef.get(contract) ?? new Map<string, object>()
  schemasByRef.set(contract, byRef)
  const known = byRef.get(schema.$ref)
  if (known) return known
  const own = { ...schema }
  byRef.set(schema.$ref, own)
  return own
}
