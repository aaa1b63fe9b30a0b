import type { IncomingHttpHeaders } from 'node:http'
import { operations } from '../../generated/operations.ts'
import { replaceEmptyArrays } from '../../server/contract/empty_arrays.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { newestRelease, releaseDates } from '../../server/versions/index.ts'
import { publicContract, resolve, validatorOf, type DeclaredResponse, type PublicContract } from './contract.ts'
import { parseObject, type JsonObject } from './json.ts'
import { markSeen } from './seen.ts'
import { markValuesOfAnswer } from './seen_values.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The bytes of the body as text. */
  readonly text: string
  /** The bytes of the body. */
  readonly bytes?: Buffer
  /** The parsed body; `{}` for an answer without one (HEAD, preflight) and for a page. */
  readonly body: JsonObject
}

export type RawAnswer = Omit<Answer, 'body'>

/** The total time spent in the checker, which must not dominate the tests. */
export const checkerCost = { milliseconds: 0, answers: 0 }

/**
 * Checks an answer against the public contract: status, content type, headers and body must be as declared.
 * @param operation the operation that was called; undefined if the request reached none
 * @throws Error listing what the contract does not allow
 */
export function checked(operation: OperationId | undefined, method: string, raw: RawAnswer): Answer {
  const start = performance.now()
  const answer = readAnswer(operation, raw)
  const problems = problemsOf(operation, method, answer)
  checkerCost.milliseconds += performance.now() - start
  checkerCost.answers += 1
  if (problems.length > 0)
    throw new Error(
      `${operation ?? 'no operation'} answered ${raw.status} against the contract:\n${problems.join('\n')}\n${raw.text.slice(0, 2000)}`,
    )
  if (operation !== undefined) {
    markSeen(operation, raw.status)
    const code = codeOf(answer)
    if (code !== undefined) markSeen(operation, code)
    markValuesOfAnswer(answer.body)
  }
  return answer
}

/** What the contract does not allow in an answer, from any server. Does not record the answer as seen. */
export function contractProblems(operation: OperationId | undefined, method: string, raw: RawAnswer): string[] {
  return problemsOf(operation, method, readAnswer(operation, raw))
}

function readAnswer(operation: OperationId | undefined, raw: RawAnswer): Answer {
  const isPage = operation !== undefined && operations[operation].credentials === 'none'
  return { ...raw, body: raw.text === '' || isPage ? {} : parseObject(raw.text) }
}

function problemsOf(operation: OperationId | undefined, method: string, answer: Answer): string[] {
  return operation === undefined ? generalProblems(answer, method) : operationProblems(operation, answer, method)
}

/** Checks the headers of every answer, including pages. */
function commonHeaderProblems(answer: Answer): string[] {
  const problems: string[] = []
  if (answer.headers['x-service-request-id'] === undefined) problems.push('no X-Service-Request-Id')
  if (answer.headers['cache-control'] !== 'no-store') problems.push('Cache-Control is not no-store')
  if (answer.headers['x-content-type-options'] !== 'nosniff') problems.push('X-Content-Type-Options is not nosniff')
  if (answer.headers['strict-transport-security'] === undefined) problems.push('no Strict-Transport-Security')
  return problems
}

/** Checks the rules for every answer of the API, including those that belong to no operation. */
function generalProblems(answer: Answer, method: string, errorSchema = '#/components/schemas/ErrorObject'): string[] {
  const problems = commonHeaderProblems(answer)
  if (method === 'HEAD' || answer.status === 204)
    return answer.text === '' ? problems : [...problems, 'a body where there should be none']
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8')
    problems.push(`content type ${answer.headers['content-type']}`)
  const isReplay = answer.headers['idempotency-replayed'] !== undefined
  if ((answer.body['request_id'] === answer.headers['x-service-request-id']) === isReplay)
    problems.push('the id of the request is not as it should be')
  if (answer.status >= 400) {
    problems.push(...schemaProblems({ $ref: errorSchema }, answer.body, 'body'))
    if (answer.body['status'] !== answer.status) problems.push('status differs between line and body')
  }
  return problems
}

function operationProblems(id: OperationId, answer: Answer, method: string): string[] {
  const contract = contractOf(answer)
  const response = declaredResponse(id, answer.status, contract)
  if (!response) return [`status ${answer.status} is not declared`]
  const { credentials } = operations[id]
  if (credentials === 'none')
    return [
      ...commonHeaderProblems(answer),
      ...headerProblems(response, answer, contract),
      ...pageProblems(response, answer, method),
    ]
  const general =
    credentials === 'client'
      ? generalProblems(answer, method, '#/components/schemas/OAuthErrorObject')
      : generalProblems(answer, method)
  const problems = [...general, ...headerProblems(response, answer, contract), ...codeProblems(id, answer)]
  const json = response.content?.['application/json']
  if (method === 'HEAD') return problems
  if (!json) return [...problems, 'the contract declares no JSON here']
  return [...problems, ...schemaProblems(json.schema, answer.body, 'body', contract)]
}

/** The code of an error in a body: OAuth endpoints name it `error`. */
function codeOf({ status, body }: Answer): string | undefined {
  const code = body['error'] ?? body['code']
  return status >= 400 && typeof code === 'string' ? code : undefined
}

/** An operation answers no error code that it does not list. */
function codeProblems(id: OperationId, answer: Answer): string[] {
  const { path, method } = operations[id]
  const code = codeOf(answer)
  const listed = publicContract().paths[path]?.[method]?.['x-error-codes'] ?? []
  return code === undefined || listed.includes(code) ? [] : [`${id} does not list the error code ${code}`]
}

/** The contract as of the release of the answer. */
function contractOf({ headers }: Answer): PublicContract {
  const date = releaseDates.find((known) => known === headers['service-version'])
  return date === undefined || date === newestRelease ? publicContract() : publicContract(date)
}

/**
 * Holds a body that was accepted against the contract as of the release that the request named: what a release takes, its contract says.
 * @param text the JSON as it was sent
 * @throws Error saying what the contract does not allow
 */
export function checkAccepted(operation: OperationId, text: string | undefined, raw: RawAnswer): void {
  if (raw.status >= 400 || text === undefined) return
  const answer = readAnswer(operation, raw)
  const contract = contractOf(answer)
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
function pageProblems(response: DeclaredResponse, { headers, text }: Answer, method: string): string[] {
  if (headers['content-type'] !== 'text/html; charset=utf-8') return [`content type ${headers['content-type']}`]
  if (method === 'HEAD' || response.content === undefined) return text === '' ? [] : ['a body where there should be none']
  return text.startsWith('<!doctype html>') ? [] : ['no page']
}

function declaredResponse(id: OperationId, status: number, contract: PublicContract): DeclaredResponse | undefined {
  const { path, method } = operations[id]
  const declared = contract.paths[path]?.[method]?.responses?.[String(status)]
  if (declared) return resolve(declared, contract.components.responses)
  // An operation that a release does not have answers with an error that the newest contract declares.
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

function headerProblems(response: DeclaredResponse, { headers }: Answer, contract: PublicContract): string[] {
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

function schemaProblems(schema: object, value: unknown, place: string, contract = publicContract()): string[] {
  const validate = validatorOf(schemaKey(schema, contract), contract)
  if (validate(value)) return []
  return (validate.errors ?? [])
    .slice(0, 20)
    .map((error) => `${place}${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`)
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
