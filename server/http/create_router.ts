import { randomUUID } from 'node:crypto'
import { Router, type NextFunction, type Request, type Response } from 'express'
import type { HandledId, Handlers } from '../../generated/handlers.ts'
import { operations, type Operation } from '../../generated/operations.ts'
import type { RouteMatch } from '../contract/operation.ts'
import { sharedValidator, type ContractValidator } from '../contract/contract_validator.ts'
import { unauthorized } from '../domain/authenticate.ts'
import { UNLIMITED } from '../domain/budgets.ts'
import { invalidClient } from '../domain/oauth/client.ts'
import { ServiceError } from '../kernel/errors.ts'
import { newestRelease, type JsonObject } from '../versions/index.ts'
import { requireAcceptable } from './accept_header.ts'
import { objectAnswer, sendAnswer, setCommonHeaders, type RenderedAnswer } from './answer.ts'
import { receiveJsonBody } from './json_body.ts'
import { answerFailure } from './failure_handler.ts'
import { receiveMultipart, type FileHeader } from './multipart_form.ts'
import { HeaderNames } from './header_names.ts'
import { idempotencyKeyOf } from './idempotency_key.ts'
import { setOAuthHeaders } from './oauth/send_oauth_error.ts'
import { receiveOAuthBody } from './oauth/oauth_body.ts'
import { withChallenge } from './oauth/with_challenge.ts'
import { parseQuery } from './parse_query.ts'
import { showBudgets, type ShownBudget } from './charge_request.ts'
import { FILE_PARTS, MULTIPART_TYPE, requireFiles } from './received_body.ts'
import { requireRoute } from './require_route.ts'
import { parseApiVersion, type ApiVersion } from './parse_api_version.ts'
import { parseUrl } from './parse_url.ts'
import { parseVersion } from './parse_version.ts'

/** What a handler gets besides path, query and body. @typeParam Caller the result of `authenticate` */
export interface Context<Caller> {
  readonly caller: Caller
  /** The id in the answer's headers and body. */
  readonly requestId: string
  /** The key that the caller repeats when sending the request again, so that it is performed only once; undefined without one. */
  readonly idempotencyKey: string | undefined
  /** The beta flags of the request. */
  readonly betas: readonly string[]
  readonly request: Request
}

/** The operations that a backend implements: one function each, by operation id. */
export type RouterHandlers<Caller> = Partial<Handlers<Context<Caller>, File>>

export interface RouterOptions<Caller> {
  /**
   * Authenticates a request. It is called for each one, when only its method, path and `Accept` header have been checked.
   * @returns undefined if the credentials are missing or invalid; the answer is then 401
   * @throws ServiceError or OAuthError for any other error
   */
  authenticate(request: Request, operation: Operation): Promise<Caller | undefined>
  /** Handlers throw `ServiceError` for the errors of the contract. An operation without one is answered with 503 `service_unavailable`. */
  readonly handlers: RouterHandlers<Caller>
  /**
   * Charges a request to the caller's budgets. If left out, answers show a budget that is practically unlimited.
   * @returns what is left of the budgets, for the `RateLimit` headers
   * @throws ServiceError `rate_limited`
   */
  budgets?(caller: Caller, request: Request): Promise<readonly ShownBudget[]>
  /**
   * The public address of the backend, without a trailing slash; if left out, the address that the request was sent to. A 401 answer uses it
   * to name the metadata that says where tokens come from.
   */
  readonly baseUrl?: string
  /** Called with each unexpected error, which is answered with 500. If left out, errors are printed to standard error. */
  onFault?(error: unknown, requestId: string): void
}

/** The contract as middleware of Express. */
export interface ContractRouter extends Router {
  /** Operations without a handler. */
  readonly notImplemented: readonly HandledId[]
}

/** Older releases would need data that a backend may not keep. */
const SERVED_RELEASES = [newestRelease] as const
const PLENTY: readonly ShownBudget[] = [
  { name: 'connection', quota: UNLIMITED, left: UNLIMITED.requests, secondsLeft: UNLIMITED.seconds },
]

/** A handler of any operation. */
type UntypedHandler<Caller> = (
  call: Context<Caller> & { readonly path: unknown; readonly query: unknown; readonly body: unknown },
) => Promise<object>

interface RouterParts<Caller> {
  readonly validator: ContractValidator
  readonly headers: HeaderNames
  readonly handlers: Readonly<Partial<Record<string, UntypedHandler<Caller>>>>
  authenticate(request: Request, operation: Operation): Promise<Caller | undefined>
  budgets(caller: Caller, request: Request): Promise<readonly ShownBudget[]>
  baseUrl(request: Request): string
  onFault(error: unknown, requestId: string): void
}

/**
 * Makes an Express router that serves the newest release of the contract with handlers of your own. It finds the operation of a request,
 * validates the request against the contract, calls the handler, and answers with its result or with an error in the contract's form.
 * Paths outside the API, and the consent page, are left to the next middleware. The router reads request bodies itself, so no body parser
 * may precede it.
 */
export function createRouter<Caller>(options: RouterOptions<Caller>): ContractRouter {
  const parts: RouterParts<Caller> = {
    validator: sharedValidator(),
    headers: new HeaderNames('Service'),
    // Each handler is called only with parts that have been validated against the contract of its own operation.
    handlers: options.handlers as unknown as RouterParts<Caller>['handlers'],
    authenticate: (request, operation) => options.authenticate(request, operation),
    budgets: async (caller, request) => (await options.budgets?.(caller, request)) ?? PLENTY,
    baseUrl: (request) => options.baseUrl ?? calledUrl(request),
    onFault: (error, requestId) => (options.onFault ? options.onFault(error, requestId) : console.error(requestId, error)),
  }
  const router = Router()
  router.use((request, response, next) => {
    if (request.url.startsWith('/v1/')) runChain(parts, request, response, next).catch(next)
    else next()
  })
  const handled = Object.values(operations).filter(({ credentials }) => credentials !== 'none') as { readonly id: HandledId }[]
  const notImplemented = handled.map(({ id }) => id).filter((id) => options.handlers[id] === undefined)
  return Object.assign(router, { notImplemented })
}

const HOST = /^[\w.:[\]-]+$/

/** The address that a request was sent to, by its Host header if that is valid. */
function calledUrl({ protocol, headers: { host = '' } }: Request): string {
  return `${protocol}://${HOST.test(host) ? host : 'localhost'}`
}

interface RoutedRequest {
  readonly request: Request
  readonly response: Response
  readonly requestId: string
}

/** Sends exactly one answer, whatever is thrown, or passes the request on. */
async function runChain<Caller>(
  parts: RouterParts<Caller>,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  const exchange = { requestId: randomUUID(), target: request.url, requester: undefined, failure: undefined }
  setCommonHeaders(response)
  parts.headers.setRequestId(response, exchange.requestId)
  try {
    const url = parseUrl(exchange.target)
    const route = requireRoute(request.method, url.segments)
    if (route.operation.credentials === 'none') return next()
    sendAnswer(response, await respond(parts, route, url.query, { request, response, requestId: exchange.requestId }))
  } catch (thrown) {
    answerFailure(exchange, request, response, withChallenge(thrown, request, parts.baseUrl(request)))
    if (response.statusCode === 500) parts.onFault(thrown, exchange.requestId)
    // Without this, the rest of an unread body would block the connection.
    if (!request.complete) request.resume()
  }
}

async function respond<Caller>(
  parts: RouterParts<Caller>,
  { operation, pathParameters }: RouteMatch,
  queryText: string,
  { request, response, requestId }: RoutedRequest,
): Promise<RenderedAnswer> {
  const isClient = operation.credentials === 'client'
  if (isClient) setOAuthHeaders(response)
  requireAcceptable(operation, request)
  const caller = await parts.authenticate(request, operation)
  if (caller === undefined) throw isClient ? invalidClient() : unauthorized()
  const { version, betas } = isClient
    ? clientVersion(parts, request)
    : parseApiVersion(parts.headers, { operation, request, response, now: Date.now() }, SERVED_RELEASES)
  const handler = parts.handlers[operation.id]
  if (handler === undefined) throw withoutHandler(operation)
  if (!isClient) showBudgets(response, await parts.budgets(caller, request))
  const { fields, files } = await receiveInMemory(operation, request, response)
  const idempotencyKey = idempotencyKeyOf(operation, request)
  const query = parseQuery(queryText, parts.validator.arrayParameters(operation))
  const received = { path: pathParameters, query, body: fields }
  const { body, ...checked } = parts.validator.validate(operation, received, { 'service-version': version }, betas)
  requireFiles(operation, { files })
  const call = { ...checked, body: body === undefined ? undefined : { ...body, ...files } }
  const result = await handler({ ...call, caller, requestId, idempotencyKey, betas, request })
  return objectAnswer(result, requestId, operation.statuses)
}

/** OAuth clients need not send a version, and the answers to them do not repeat it. */
function clientVersion({ headers }: Pick<RouterParts<unknown>, 'headers'>, request: Request): ApiVersion {
  const version = headers.read(request, 'Version')
  return { version: version === undefined ? newestRelease : parseVersion(version, headers.nameOf('Version')), betas: [] }
}

function withoutHandler({ id }: Operation): ServiceError {
  return new ServiceError('service_unavailable', { message: `${id} is part of the contract but not of this service.` })
}

/** A request body in memory. */
export interface BodyInMemory {
  readonly fields: JsonObject | undefined
  readonly files: Readonly<Record<string, File>>
}

/** Receives a body in the media type that its operation accepts. @throws ServiceError or OAuthError for an invalid body */
export async function receiveInMemory(operation: Operation, request: Request, response: Response): Promise<BodyInMemory> {
  if (operation.credentials === 'client') return { fields: await receiveOAuthBody(request, response), files: {} }
  if (operation.requestTypes.includes(MULTIPART_TYPE))
    return receiveMultipart(request, { bytesMax: operation.bodyLimit, fileNames: FILE_PARTS }, takeFile)
  return { fields: operation.requestTypes.length > 0 ? await receiveJsonBody(request, response) : undefined, files: {} }
}

/** The size is bounded by the body limit of the operation. */
async function takeFile({ filename, contentType }: FileHeader, bytes: AsyncIterable<Uint8Array>): Promise<File> {
  const chunks = await Array.fromAsync(bytes, (chunk) => new Uint8Array(chunk))
  return new File(chunks, filename ?? '', { type: contentType ?? '' })
}
