import type { Duplex } from 'node:stream'
import type { Request, Response as ExpressResponse } from 'express'
import { parse as parseYaml } from 'yaml'
import { newCall } from '../application/call.ts'
import type { ContractDocument } from '../contract/contract_document.ts'
import { DocumentOperations, type DocumentMatch } from '../contract/document_operations.ts'
import { DocumentValidator, type DescribedOperation } from '../contract/document_validator.ts'
import type { RequestParts } from '../contract/locations.ts'
import { ServiceError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { sendError, sendText, setCommonHeaders, toServiceError, sendResponse } from './response.ts'
import { mediaTypeOf, parseJsonObject, receiveBytes, receiveJsonBody } from './json_body.ts'
import { HttpContext } from './http_context.ts'
import { listen, type Address, type Listener } from './listener.ts'
import { parseQuery } from './parse_query.ts'
import { invalidUrl, parseUrl, shownPath } from './parse_url.ts'
import { composeChain, type Chain, type Step } from './steps/step.ts'

const YAML_TYPE = 'application/yaml'

/** A refused request, without its query and body, which may hold secrets. */
export interface ContractRefusal {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string
  readonly message: string
}

export interface ContractServerDeps {
  /** The contract. Requests and responses of its operations are JSON objects. */
  readonly document: ContractDocument
  /** By operation id. Each function returns the body of the response. */
  readonly handlers: Readonly<Record<string, (call: RequestParts) => Promise<object>>>
  /** Other texts to serve, by their paths. */
  readonly files: Readonly<Record<string, string>>
  /** By default, ids are random. */
  readonly newRequestId?: (() => string) | undefined
  /**
   * Called first for each request.
   * @throws ServiceError to refuse it
   */
  guard(request: Request): void
  /** Called with each unexpected error; the response is 500. */
  onFault(error: unknown): void
  /** Called for each request that is refused. */
  onRefusal(refusal: ContractRefusal): void
}

interface Serving extends ContractServerDeps {
  readonly operations: DocumentOperations
  readonly chain: Chain<DescribedOperation>
}

/**
 * Serves a small contract on a separate port. Requests are validated against it, and errors have the same form as the service's.
 * @throws ListenError
 */
export function serveContract(deps: ContractServerDeps, address: Address): Promise<Listener> {
  const operations = new DocumentOperations(deps.document)
  const validator = new DocumentValidator(deps.document)
  const chain = composeChain<unknown, DescribedOperation>({
    body: receiveJsonOrYaml,
    validate: validateBy(validator),
    perform: performBy(deps.handlers),
  })
  const serving = { ...deps, operations, chain }
  return listen(address, undefined, {
    onConnection: () => undefined,
    onSecureConnection: () => undefined,
    // The members of Express's types that are used here also exist in `node:http`.
    onRequest: (request, response) => void respond(serving, request as Request, response as ExpressResponse),
    onMalformedRequest: (_error, socket: Duplex) => refuseMalformed(deps, socket),
    onTlsFailure: () => undefined,
  })
}

/** Sends exactly one response, whatever is thrown. */
async function respond(serving: Serving, request: Request, response: ExpressResponse): Promise<void> {
  const requestId = (serving.newRequestId ?? newId)()
  setCommonHeaders(response)
  try {
    serving.guard(request)
    const { segments, query } = parseUrl(request.url)
    const file = request.method === 'GET' ? serving.files[`/${segments.join('/')}`] : undefined
    if (file !== undefined) {
      response.setHeader('Content-Type', `${request.url.endsWith('.json') ? 'application/json' : YAML_TYPE}; charset=utf-8`)
      return sendText(response, 200, file)
    }
    const { operation, path } = requireMatch(serving.operations.find(request.method, segments), request.method)
    const context = new HttpContext(request, response, { requestId, target: request.url })
    sendResponse(response, await serving.chain(context, newCall(operation, path, query)))
  } catch (thrown) {
    const failure = toServiceError(thrown)
    if (failure.status === 500) serving.onFault(thrown)
    const { status, code, message } = failure
    serving.onRefusal({ requestId, method: request.method, path: shownPath(request.url), status, code, message })
    if (!response.headersSent) sendError(response, failure, requestId)
    // Otherwise, the rest of an unread body would block the connection.
    if (!request.complete) request.resume()
  }
}

function refuseMalformed({ onRefusal, newRequestId = newId }: ContractServerDeps, socket: Duplex): void {
  const message = 'This request is not valid HTTP.'
  onRefusal({ requestId: newRequestId(), method: '', path: '', status: 400, code: 'invalid_request', message })
  socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
}

export function requireMatch(found: ReturnType<DocumentOperations['find']>, method: string): DocumentMatch {
  if (found === undefined) throw invalidUrl('This path does not exist.')
  if ('operation' in found) return found
  throw invalidUrl(`This path does not support the method ${method}.`, { Allow: found.join(', ') })
}

/** Receives the body of an operation that has one. */
export const receiveJson: Step<unknown, DescribedOperation> = async ({ request, response }, call, next) => {
  if (call.operation.requestTypes.length > 0) call.body = await receiveJsonBody(request, response)
  return next()
}

const receiveJsonOrYaml: Step<unknown, DescribedOperation> = async ({ request, response }, call, next) => {
  const { requestTypes } = call.operation
  const isYaml = mediaTypeOf(request) === YAML_TYPE && requestTypes.includes(YAML_TYPE)
  if (isYaml) call.body = await receiveYaml(request, response)
  else if (requestTypes.length > 0) call.body = await receiveJsonBody(request, response)
  return next()
}

async function receiveYaml(request: Request, response: ExpressResponse): Promise<unknown> {
  const bytes = (await receiveBytes(request, response)) ?? Buffer.alloc(0)
  try {
    // A value that JSON cannot express, such as a list within itself, is not a valid body.
    return parseJsonObject(Buffer.from(JSON.stringify(parseYaml(bytes.toString()) ?? {})))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : []
    throw new ServiceError('invalid_json', { message: `The body should be YAML that can be converted to JSON: ${reason}` })
  }
}

export function validateBy(validator: DocumentValidator): Step<unknown, DescribedOperation> {
  return async (_context, call, next) => {
    call.query = parseQuery(call.queryText, validator.arrayParameters(call.operation))
    Object.assign(call, validator.validate(call.operation, call))
    return next()
  }
}

function performBy(handlers: ContractServerDeps['handlers']): Step<unknown, DescribedOperation> {
  return async (_context, { operation, path, query, body }) => {
    const result = await handlers[operation.id]?.({ path, query, body })
    return { status: 200, headers: {}, text: JSON.stringify(result) }
  }
}
