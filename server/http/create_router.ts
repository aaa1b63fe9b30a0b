import { randomUUID } from 'node:crypto'
import { Router, type NextFunction, type Request } from 'express'
import type { HandledId, Handlers } from '../../generated/handlers.ts'
import { operations, type Operation } from '../../generated/operations.ts'
import { sharedValidator, type ContractValidator } from '../contract/contract_validator.ts'
import { unauthorized, invalidClient } from '../domain/people/index.ts'
import { UNLIMITED } from '../domain/shared/index.ts'
import { ServiceError } from '../kernel/errors.ts'
import { isObject } from '../kernel/is_object.ts'
import { newestRelease } from '../versions/index.ts'
import { setRateLimitHeaders, type ShownRateLimit } from './charge_request.ts'
import { respondWithFailure } from './failure_handler.ts'
import { HeaderNames } from './header_names.ts'
import { HttpContext } from './http_context.ts'
import { setOAuthHeaders } from './oauth/send_oauth_error.ts'
import { withChallenge } from './oauth/with_challenge.ts'
import { objectResponse, sendResponse, setCommonHeaders } from './response.ts'
import { checkAccept } from './steps/check_accept.ts'
import { readClientVersion } from './steps/read_client_version.ts'
import { readIdempotencyKey } from './steps/read_idempotency_key.ts'
import { readVersion } from './steps/read_version.ts'
import { receiveBodyInMemory } from './steps/receive_body_in_memory.ts'
import { receiveClientBody } from './steps/receive_client_body.ts'
import { routeCall } from './steps/route_call.ts'
import { composeChain, type Chain, type Step } from './steps/step.ts'
import { validateClientCall } from './steps/validate_client_call.ts'
import { validateNewest } from './steps/validate_newest.ts'

/**
 * The parameters of a handler, besides path, query and body.
 * @typeParam Caller the result of `authenticate`
 */
export interface HandlerContext<Caller> {
  readonly caller: Caller
  /** The id in the header and the body of the response. */
  readonly requestId: string
  /** The idempotency key, undefined if there is none. A request that is sent again with the same key must be performed only once. */
  readonly idempotencyKey: string | undefined
  /** The beta flags of the request. */
  readonly betas: readonly string[]
  readonly request: Request
}

/** The operations that a backend implements: one function each, by operation id. */
export type RouterHandlers<Caller> = Partial<Handlers<HandlerContext<Caller>, File>>

export interface RouterOptions<Caller> {
  /**
   * Authenticates a request. Called for each request as soon as its method, path and `Accept` header have been checked.
   * @returns undefined if the credentials are missing or invalid; the response is then 401
   * @throws ServiceError or OAuthError for any other error
   */
  authenticate(request: Request, operation: Operation): Promise<Caller | undefined>
  /**
   * Handlers throw `ServiceError` for the errors of the contract. The response of an operation without a handler is 503
   * `service_unavailable`.
   */
  readonly handlers: RouterHandlers<Caller>
  /**
   * Charges a request to the caller's rate limits. If omitted, responses show a limit that is practically unlimited.
   * @returns the remaining requests, for the `RateLimit` headers
   * @throws ServiceError `rate_limited`
   */
  rateLimits?(caller: Caller, request: Request): Promise<readonly ShownRateLimit[]>
  /**
   * The public address of the backend, without a trailing slash; by default, the address to which the request was sent. A 401 response uses
   * it to link to the metadata that says where to get tokens.
   */
  readonly baseUrl?: string
  /** Called with each unexpected error; the response is 500. By default, errors are printed to standard error. */
  onFault?(error: unknown, requestId: string): void
}

/** Express middleware that serves the contract. */
export interface ContractRouter extends Router {
  /** Operations without a handler. */
  readonly notImplemented: readonly HandledId[]
}

/** Only the newest release is served: older ones would need data that a backend may not keep. */
const SERVED_RELEASES = [newestRelease] as const
const PLENTY: readonly ShownRateLimit[] = [
  { name: 'connection', quota: UNLIMITED, remaining: UNLIMITED.requests, secondsLeft: UNLIMITED.seconds },
]

/** A handler of any operation. */
type UntypedHandler<Caller> = (
  call: HandlerContext<Caller> & { readonly path: unknown; readonly query: unknown; readonly body: unknown },
) => Promise<object>

interface RouterDeps<Caller> {
  readonly validator: ContractValidator
  readonly headers: HeaderNames
  readonly handlers: Readonly<Partial<Record<string, UntypedHandler<Caller>>>>
  authenticate(request: Request, operation: Operation): Promise<Caller | undefined>
  rateLimits(caller: Caller, request: Request): Promise<readonly ShownRateLimit[]>
  baseUrl(request: Request): string
  onFault(error: unknown, requestId: string): void
}

/**
 * Makes an Express router that serves the newest release of the contract with handlers of your own. It finds the operation of a request,
 * validates the request against the contract, calls the handler, and sends its result or an error in the contract's form. Paths outside the
 * API, and the consent page, are left to the next middleware. The router reads request bodies itself, so no body parser may precede it.
 */
export function createRouter<Caller>(options: RouterOptions<Caller>): ContractRouter {
  const deps: RouterDeps<Caller> = {
    validator: sharedValidator(),
    headers: new HeaderNames('Service'),
    // Each handler is called only with parts that have been validated against the contract of its own operation.
    handlers: options.handlers as unknown as RouterDeps<Caller>['handlers'],
    authenticate: (request, operation) => options.authenticate(request, operation),
    rateLimits: async (caller, request) => (await options.rateLimits?.(caller, request)) ?? PLENTY,
    baseUrl: (request) => options.baseUrl ?? calledUrl(request),
    onFault: (error, requestId) => (options.onFault ? options.onFault(error, requestId) : console.error(requestId, error)),
  }
  const chains = chainsOf(deps)
  const router = Router()
  router.use((request, response, next) => {
    // The base address where the router is mounted.
    const { url: target } = request
    if (!target.startsWith('/v1/')) return next()
    const context = new HttpContext(request, response, { requestId: randomUUID(), target })
    respond(deps, chains, context, next).catch(next)
  })
  const handled = Object.values(operations).filter(({ credentials }) => credentials !== 'none') as { readonly id: HandledId }[]
  const notImplemented = handled.map(({ id }) => id).filter((id) => options.handlers[id] === undefined)
  return Object.assign(router, { notImplemented })
}

const HOST = /^[\w.:[\]-]+$/

/** The address to which a request was sent, from its Host header if that is valid. */
function calledUrl({ protocol, headers: { host = '' } }: Request): string {
  return `${protocol}://${HOST.test(host) ? host : 'localhost'}`
}

/** Sends exactly one response, whatever is thrown, or passes the request on. */
async function respond<Caller>(
  deps: RouterDeps<Caller>,
  chains: RouterChains,
  context: HttpContext,
  next: NextFunction,
): Promise<void> {
  const { request, response, requestId } = context
  setCommonHeaders(response)
  deps.headers.setRequestId(response, requestId)
  try {
    const call = routeCall(context)
    const { credentials } = call.operation
    if (credentials === 'none') return next()
    sendResponse(response, await chains[credentials](context, call))
  } catch (thrown) {
    respondWithFailure(context, withChallenge(thrown, request, deps.baseUrl(request)))
    if (response.statusCode === 500) deps.onFault(thrown, requestId)
    // Otherwise, the rest of an unread body would block the connection.
    if (!request.complete) request.resume()
  }
}

type RouterChains = Readonly<Record<'bearer' | 'connection' | 'client', Chain>>

function chainsOf<Caller>(deps: RouterDeps<Caller>): RouterChains {
  const { headers, validator } = deps
  const own = {
    accept: checkAccept,
    authenticate: authenticateBy(deps),
    handler: checkHandler(deps),
    perform: callHandler(deps),
  }
  const api = composeChain<Caller>({
    ...own,
    version: readVersion(headers, SERVED_RELEASES),
    rateLimit: chargeBy(deps),
    body: receiveBodyInMemory,
    idempotencyKey: readIdempotencyKey,
    validate: validateNewest(validator),
  })
  const client = composeChain<Caller>({
    ...own,
    version: readClientVersion(headers),
    body: receiveClientBody,
    validate: validateClientCall(validator),
  })
  return { bearer: api, connection: api, client }
}

function authenticateBy<Caller>(deps: RouterDeps<Caller>): Step<Caller> {
  return async (context, { operation }, next) => {
    const isClient = operation.credentials === 'client'
    if (isClient) setOAuthHeaders(context.response)
    const caller = await deps.authenticate(context.request, operation)
    if (caller === undefined) throw isClient ? invalidClient() : unauthorized()
    context.identify(caller)
    return next()
  }
}

function checkHandler<Caller>(deps: RouterDeps<Caller>): Step<Caller> {
  return async (_context, { operation }, next) => {
    handlerOf(deps, operation)
    return next()
  }
}

function chargeBy<Caller>(deps: RouterDeps<Caller>): Step<Caller> {
  return async ({ request, response, caller }, _call, next) => {
    setRateLimitHeaders(response, await deps.rateLimits(caller, request))
    return next()
  }
}

function callHandler<Caller>(deps: RouterDeps<Caller>): Step<Caller> {
  return async ({ caller, requestId, betas, request }, { operation, path, query, body, files, idempotencyKey }) => {
    const handler = handlerOf(deps, operation)
    const whole = isObject(body) ? { ...body, ...files } : body
    const result = await handler({ path, query, body: whole, caller, requestId, idempotencyKey, betas, request })
    return objectResponse(result, operation, requestId)
  }
}

/** @throws ServiceError `service_unavailable` if the operation has no handler */
function handlerOf<Caller>({ handlers }: RouterDeps<Caller>, { id }: Operation): UntypedHandler<Caller> {
  const handler = handlers[id]
  if (handler) return handler
  throw new ServiceError('service_unavailable', { message: `${id} is part of the contract but not of this service.` })
}
