import { check } from '../application/check.ts'
import { isForClients } from '../contract/operation.ts'
import { keyedRequest } from '../application/request_identity.ts'
import type { Actor } from '../domain/actor.ts'
import { authenticate, authenticateConnection } from '../domain/authenticate.ts'
import { requireCapability } from '../domain/capability.ts'
import type { StoredAnswer } from '../domain/idempotency.ts'
import { perform, type CheckedRequest } from '../application/perform.ts'
import { Deadline } from '../kernel/deadline.ts'
import { requireAcceptable, wantsStream } from './accept_header.ts'
import { objectAnswer, sendAnswer, type Answer } from './answer.ts'
import { sendEventStream, type StreamStart } from './event_stream.ts'
import type { Exchange } from './exchanges.ts'
import { idempotencyKeyOf, keyedAnswer } from './idempotency_key.ts'
import type { Request, Response } from 'express'
import type { Keep } from '../application/keyed_requests.ts'
import { answerAuthorization } from './oauth/authorize.ts'
import { withChallenge } from './oauth/with_challenge.ts'
import { answerClient } from './oauth/client_chain.ts'
import type { ChainParts } from './chain_parts.ts'
import { parseQuery, queryPairs } from './parse_query.ts'
import { chargeRequest, awaitAuthentication } from './charge_request.ts'
import { receiveBody, requireFiles } from './received_body.ts'
import { requireRoute } from './require_route.ts'
import { parseApiVersion } from './parse_api_version.ts'
import { requireTransport } from './require_transport.ts'
import { parseUrl } from './parse_url.ts'

/** Answers one API request. @throws any error of its handling, which `failureHandler` turns into an answer */
export async function answerRequest(parts: ChainParts, request: Request, response: Response): Promise<void> {
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
  readonly answer: Answer
  /** Sent instead of the answer's body. */
  readonly stream?: StreamStart | undefined
}

/** Runs the checks in the order that the contract fixes, and performs the request. @throws the error of the first check that fails */
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
    return { answer: await answerAuthorization(parts, { request, response, exchange, query: url.query, deadline, now }) }
  }
  const identify = operation.credentials === 'connection' ? authenticateConnection : authenticate
  const { authorization } = request.headers
  const actor = await awaitAuthentication(parts.budgets, exchange.peer, identify(parts.database, authorization, now))

  parts.admission.identify(response, actor.userId)
  const { version, betas } = parseApiVersion(parts.headers, { operation, request, response, now })

  await chargeRequest(parts.budgets, response, actor)
  await parts.interceptor?.onAdmission(operation, request, response)
  requireCapability(actor, operation)
  const body = await receiveBody(parts, { operation, request, response, actor, path: pathParameters, now })
  const key = idempotencyKeyOf(operation, request)
  const form = wantsStream(operation, request) ? 'stream' : 'json'
  const reauthorize = async (): Promise<Actor> => {
    const current = await identify(parts.database, authorization, parts.clock.now())
    requireCapability(current, operation)
    return current
  }
  const replyWith = (answer: StoredAnswer): Reply => ({
    answer,
    stream: form === 'stream' && answer.follow ? { actor, follow: answer.follow, reauthorize } : undefined,
  })
  const run = (keep?: Keep): Promise<StoredAnswer> => {
    const query = parseQuery(url.query, parts.validator.listParameters(operation))
    const checked = check(parts.validator, { operation, path: pathParameters, query, body: body.fields }, version, betas)
    requireFiles(operation, body)
    const render: CheckedRequest['render'] = (result, { statuses }) => objectAnswer(result, requestId, statuses)
    return perform(parts, { ...checked, files: body.files, actor, now, version, deadline, form, render }, keep)
  }
  if (key === undefined) return replyWith(await body.consume(run))
  const { segments } = url
  const identity = {
    method: request.method,
    segments,
    query: queryPairs(url.query),
    version,
    betas,
    body: body.identity(),
  }
  return replyWith(
    await body.consume(async () =>
      keyedAnswer(await parts.keyedRequests.once(keyedRequest(actor, key, identity), deadline, run)),
    ),
  )
}
