import { randomUUID } from 'node:crypto'
import { Router, type NextFunction, type Request, type Response } from 'express'
import type { HandledId, Handlers } from '../../generated/handlers.ts'
import { operations, type Operation } from '../../generated/operations.ts'
import type { RouteMatch } from '../contract/operation.ts'
import { sharedValidator, type ContractValidator } from '../contract/validator.ts'
import { unauthorized } from '../domain/authenticate.ts'
import { UNLIMITED } from '../domain/budgets.ts'
import { invalidClient } from '../domain/oauth/client.ts'
import { ServiceError } from '../kernel/errors.ts'
import { newestRelease, type JsonObject } from '../versions/index.ts'
import { requireAcceptable } from './acceptable.ts'
import { objectAnswer, sendAnswer, setCommonHeaders, type Answer } from './answer.ts'
import { receiveJsonBody } from './body.ts'
import { answerFailure } from './failure.ts'
import { receiveMultipart, type FileHeader } from './form.ts'
import { HeaderNames } from './headers.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import { setOAuthHeaders } from './oauth/answer.ts'
import { receiveOAuthBody } from './oauth/body.ts'
import { challenging } from './oauth/challenge.ts'
import { parseQuery } from './query.ts'
import { showBudgets, type ShownBudget } from './rate.ts'
import { FILE_PARTS, MULTIPART_TYPE, requireFiles } from './received.ts'
import { requireRoute } from './route.ts'
import { readTerms, type Terms } from './terms.ts'
import { parseUrl } from './url.ts'
import { parseVersion } from './version.ts'

/** What a handler gets with path, query and body. @typeParam Caller whatever `authenticate` gave */
export interface Context<Caller> {
  readonly caller: Caller
  /** As the answer carries it. */
  readonly requestId: string
  /** Of a caller who may send this request again and wants it carried out once; undefined without one. */
  readonly idempotencyKey: string | undefined
  /** Beta flags that are switched on. */
  readonly betas: readonly string[]
  readonly request: Request
}

/** The operations that a backend answers: one function for each, by its operation id. */
export type RouterHandlers<Caller> = Partial<Handlers<Context<Caller>, File>>

export interface RouterOptions<Caller> {
  /**
   * Who calls. Asked for each request, before anything of it but its method, path and `Accept` is looked at.
   * @returns undefined where the credentials are missing or no good: the answer is 401
   * @throws ServiceError or OAuthError for another answer
   */
  authenticate(request: Request, operation: Operation): Promise<Caller | undefined>
  /** What is missing is answered with 503 `service_unavailable`. They throw `ServiceError` for what the contract refuses. */
  readonly handlers: RouterHandlers<Caller>
  /**
   * Counts a request, and says what is left of the caller's budgets. Left out, callers are told that there is plenty.
   * @throws ServiceError `rate_limited`
   */
  budgets?(caller: Caller, request: Request): Promise<readonly ShownBudget[]>
  /** Address that callers reach, without a trailing slash; left out, the one that they called. What says where tokens come from is below it. */
  readonly baseUrl?: string
  /** Hears of everything that was answered with 500. Left out, it goes to the error output. */
  onFault?(error: unknown, requestId: string): void
}

/** The contract as middleware of Express. */
export interface ContractRouter extends Router {
  /** Operations without a handler. */
  readonly notImplemented: readonly HandledId[]
}

/** Shapes of older releases are the business of a server that keeps what they need. */
const SERVED = [newestRelease] as const
const PLENTY: readonly ShownBudget[] = [
  { name: 'connection', quota: UNLIMITED, left: UNLIMITED.requests, secondsLeft: UNLIMITED.seconds },
]

/** A handler without the types of its operation. */
type AnyHandler<Caller> = (
  call: Context<Caller> & { readonly path: unknown; readonly query: unknown; readonly body: unknown },
) => Promise<object>

interface RouterParts<Caller> {
  readonly validator: ContractValidator
  readonly headers: HeaderNames
  readonly handlers: Readonly<Partial<Record<string, AnyHandler<Caller>>>>
  authenticate(request: Request, operation: Operation): Promise<Caller | undefined>
  budgets(caller: Caller, request: Request): Promise<readonly ShownBudget[]>
  baseUrl(request: Request): string
  onFault(error: unknown, requestId: string): void
}

/**
 * Serves the newest release of the contract with handlers of one's own: finds the operation, holds the request against the contract,
 * calls the handler, and answers with what it gives, or with an error in the contract's form. Paths outside of the API, and the pages
 * for people, go on to the next middleware. Bodies are read here: no body parser stands in front.
 */
export function createRouter<Caller>(options: RouterOptions<Caller>): ContractRouter {
  const parts: RouterParts<Caller> = {
    validator: sharedValidator(),
    headers: new HeaderNames('Service'),
    // The contract has checked what an operation gets, by which its handler is chosen.
    handlers: options.handlers as unknown as RouterParts<Caller>['handlers'],
    authenticate: (request, operation) => options.authenticate(request, operation),
    budgets: async (caller, request) => (await options.budgets?.(caller, request)) ?? PLENTY,
    baseUrl: (request) => options.baseUrl ?? calledUrl(request),
    onFault: (error, requestId) => (options.onFault ? options.onFault(error, requestId) : console.error(requestId, error)),
  }
  const router = Router()
  router.use((request, response, next) => {
    if (request.url.startsWith('/v1/')) answer(parts, request, response, next).catch(next)
    else next()
  })
  const handled = Object.values(operations).filter(({ credentials }) => credentials !== 'none') as { readonly id: HandledId }[]
  const notImplemented = handled.map(({ id }) => id).filter((id) => options.handlers[id] === undefined)
  return Object.assign(router, { notImplemented })
}

const HOST = /^[\w.:[\]-]+$/

/** The address by which the caller came, unless it is one that no one could come by. */
function calledUrl({ protocol, headers: { host = '' } }: Request): string {
  return `${protocol}://${HOST.test(host) ? host : 'localhost'}`
}

interface Asked {
  readonly request: Request
  readonly response: Response
  readonly requestId: string
}

/** Whatever happens inside, exactly one answer goes out. */
async function answer<Caller>(
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
    answerFailure(exchange, request, response, challenging(thrown, request, parts.baseUrl(request)))
    if (response.statusCode === 500) parts.onFault(thrown, exchange.requestId)
    // A body that was never read would keep the connection busy.
    if (!request.complete) request.resume()
  }
}

async function respond<Caller>(
  parts: RouterParts<Caller>,
  { operation, pathParameters }: RouteMatch,
  queryText: string,
  { request, response, requestId }: Asked,
): Promise<Answer> {
  const isClient = operation.credentials === 'client'
  if (isClient) setOAuthHeaders(response)
  requireAcceptable(operation, request)
  const caller = await parts.authenticate(request, operation)
  if (caller === undefined) throw isClient ? invalidClient() : unauthorized()
  const { version, betas } = isClient
    ? clientTerms(parts, request)
    : readTerms(parts.headers, { operation, request, response, now: Date.now() }, SERVED)
  const handler = parts.handlers[operation.id]
  if (handler === undefined) throw withoutHandler(operation)
  if (!isClient) showBudgets(response, await parts.budgets(caller, request))
  const { fields, files } = await receive(operation, request, response)
  const idempotencyKey = idempotencyKeyOf(operation, request)
  const query = parseQuery(queryText, parts.validator.listParameters(operation))
  const asked = { path: pathParameters, query, body: fields }
  const { body, ...checked } = parts.validator.validate(operation, asked, { 'service-version': version }, betas)
  requireFiles(operation, { files })
  const call = { ...checked, body: body === undefined ? undefined : { ...body, ...files } }
  const result = await handler({ ...call, caller, requestId, idempotencyKey, betas, request })
  return objectAnswer(result, requestId, operation.statuses)
}

/** OAuth clients may leave the version out, and their answers do not repeat it. */
function clientTerms({ headers }: Pick<RouterParts<unknown>, 'headers'>, request: Request): Terms {
  const version = headers.read(request, 'Version')
  return { version: version === undefined ? newestRelease : parseVersion(version, headers.nameOf('Version')), betas: [] }
}

function withoutHandler({ id }: Operation): ServiceError {
  return new ServiceError('service_unavailable', { message: `${id} is part of the contract but not of this service.` })
}

/** A body that is held in memory until its request is answered. */
export interface ReceivedParts {
  readonly fields: JsonObject | undefined
  readonly files: Readonly<Record<string, File>>
}

/** Reads the body of a request, in whatever form its operation takes. @throws ServiceError or OAuthError for one that cannot be read */
export async function receive(operation: Operation, request: Request, response: Response): Promise<ReceivedParts> {
  if (operation.credentials === 'client') return { fields: await receiveOAuthBody(request, response), files: {} }
  if (operation.requestTypes.includes(MULTIPART_TYPE))
    return receiveMultipart(request, { bytesMax: operation.bodyLimit, fileNames: FILE_PARTS }, takeFile)
  return { fields: operation.requestTypes.length > 0 ? await receiveJsonBody(request, response) : undefined, files: {} }
}

/** At most as large as the body of its operation may be. */
async function takeFile({ filename, contentType }: FileHeader, bytes: AsyncIterable<Uint8Array>): Promise<File> {
  const chunks = await Array.fromAsync(bytes, (chunk) => new Uint8Array(chunk))
  return new File(chunks, filename ?? '', { type: contentType ?? '' })
}
