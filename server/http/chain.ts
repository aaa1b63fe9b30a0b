import { validateRequest } from '../application/validate_request.ts'
import { isForClients, type RouteMatch } from '../contract/operation.ts'
import { keyedRequest } from '../application/keyed_request.ts'
import type { Actor } from '../domain/actor.ts'
import { authenticate, authenticateConnection } from '../domain/authenticate.ts'
import { requireCapability } from '../domain/capability.ts'
import type { StoredAnswer } from '../domain/idempotency.ts'
import { perform, type CheckedRequest } from '../application/perform.ts'
import { Deadline } from '../kernel/deadline.ts'
import { requireAcceptable, wantsStream } from './accept_header.ts'
import { objectAnswer, sendAnswer, type RenderedAnswer } from './answer.ts'
import { sendEventStream, type StreamStart } from './event_stream.ts'
import type { Exchange } from './exchanges.ts'
import { idempotencyKeyOf, keyedAnswer } from './idempotency_key.ts'
import type { Request, Response } from 'express'
import type { StoreAnswer } from '../application/keyed_requests.ts'
import { answerAuthorization } from './oauth/authorize.ts'
import { withChallenge } from './oauth/with_challenge.ts'
import { answerClient } from './oauth/client_chain.ts'
import type { ChainParts } from './chain_parts.ts'
import { parseQuery, queryPairs } from './parse_query.ts'
import { chargeRequest, chargingFailures } from './charge_request.ts'
import { receiveBody, requireFiles, type ReceivedBody } from './received_body.ts'
import { requireRoute } from './require_route.ts'
import { parseApiVersion, type ApiVersion } from './parse_api_version.ts'
import { requireTransport } from './require_transport.ts'
import { parseUrl } from './parse_url.ts'

/** Answers one API request. @throws any error of its handling, which `failureHandler` turns into an answer */
export async function runChain(parts: ChainParts, request: Request, response: Response): Promise<void> {
  const exchange = parts.exchanges.of(response)
  parts.cors.expose(request, response)
  parts.admission.admit(response)
  const deadline = new Deadline(parts.requestMilliseconds)
  try {
    const { answer, stream } = await deadline.guard(respond(parts, request, response, exchange, deadline))
    if (stream) await sendEventStream(parts, response, stream, answer.headers)
    else sendAnswer(response, answer)
  } catch (thrown) {
    throw withChallenge(thrown, request, parts.baseUrl())
  }
}

interface Reply {
  readonly answer: RenderedAnswer
  /** Sent instead of the answer's body. */
  readonly stream?: StreamStart | undefined
}

/**
 * Runs the checks in the order that the contract fixes, and performs the request.
 * @throws the error of the first check that fails
 */
async function respond(
  parts: ChainParts,
  request: Request,
  response: Response,
  exchange: Exchange,
  deadline: Deadline,
): Promise<Reply> {
  const now = parts.clock.now()
  const url = parseUrl(exchange.target)
  const { operation, pathParameters } = requireRoute(request.method, url.segments)
  exchange.operationLabel = operation.id
  await parts.interceptor?.onRoute(operation, request, response)
  requireTransport(exchange, request, parts.requiresHttps)
  requireAcceptable(operation, request)

  const { requestId } = exchange
  if (isForClients(operation))
    return { answer: await answerClient(parts, { operation, request, response, requestId, deadline, now }) }
  if (operation.credentials === 'none') {
    parts.admission.limitUnauthenticated(response)
    const authorization = answerAuthorization(parts, { request, response, exchange, query: url.query, deadline, now })
    return { answer: await authorization }
  }
  const identify = operation.credentials === 'connection' ? authenticateConnection : authenticate
  const { authorization } = request.headers
  const routed = { operation, pathParameters, queryText: url.query, request, requestId, now, deadline }
  const actor = await chargingFailures(parts.budgets, exchange.peer, () => identify(parts.database, authorization, now))

  exchange.caller = actor
  parts.admission.identify(response, actor.userId)
  const apiVersion = parseApiVersion(parts.headers, { operation, request, response, now })

  await chargeRequest(parts.budgets, response, actor)
  await parts.interceptor?.onAdmission(operation, request, response)
  requireCapability(actor, operation)
  const body = await receiveBody(parts, { operation, request, response, actor, path: pathParameters, now })
  exchange.body = body.fields
  const key = idempotencyKeyOf(operation, request)
  const reauthorize = async (): Promise<Actor> => {
    const current = await identify(parts.database, authorization, parts.clock.now())
    requireCapability(current, operation)
    return current
  }
  const replyWith = (answer: StoredAnswer): Reply => ({
    answer,
    stream: wantsStream(operation, request) && answer.follow ? { actor, follow: answer.follow, reauthorize } : undefined,
  })
  const run = async (store?: StoreAnswer): Promise<StoredAnswer> =>
    performAsked(parts, routed, { ...apiVersion, actor, body }, store)
  if (key === undefined) return replyWith(await body.consume(run))
  const { segments } = url
  const identity = { method: request.method, segments, query: queryPairs(url.query), ...apiVersion, body: body.identity() }
  return replyWith(
    await body.consume(async () =>
      keyedAnswer(await parts.keyedRequests.once(keyedRequest(actor, key, identity), deadline, run)),
    ),
  )
}

/** What is known of a request before its caller. */
interface RoutedRequest extends RouteMatch {
  readonly queryText: string
  readonly request: Request
  readonly requestId: string
  readonly now: number
  readonly deadline: Deadline
}

/** The caller, the version and the body. */
interface IdentifiedRequest extends ApiVersion {
  readonly actor: Actor
  readonly body: ReceivedBody
}

/** Validates a request, and performs it. */
async function performAsked(
  parts: ChainParts,
  { operation, pathParameters, queryText, request, requestId, now, deadline }: RoutedRequest,
  { actor, version, betas, body }: IdentifiedRequest,
  store?: StoreAnswer,
): Promise<StoredAnswer> {
  const query = parseQuery(queryText, parts.validator.arrayParameters(operation))
  const received = { operation, path: pathParameters, query, body: body.fields }
  const checked = validateRequest(parts.validator, received, version, betas, parts.branded)
  requireFiles(operation, body)
  const form = wantsStream(operation, request) ? 'stream' : 'json'
  const render: CheckedRequest['render'] = (result, { statuses }) => objectAnswer(result, requestId, statuses)
  const { branded } = parts
  return perform(parts, { ...checked, branded, files: body.files, actor, now, version, deadline, form, render }, store)
}
