import { check } from '../application/check.ts'
import { isForClients } from '../contract/operation.ts'
import { keyedRequest } from '../application/request_identity.ts'
import type { Actor } from '../domain/actor.ts'
import { authenticate, authenticateConnection } from '../domain/authenticate.ts'
import { requireCapability } from '../domain/capability.ts'
import type { StoredAnswer } from '../domain/idempotency.ts'
import { perform, type CheckedRequest } from '../application/perform.ts'
import { Deadline } from '../kernel/deadline.ts'
import { requireAcceptable, wantsStream } from './acceptable.ts'
import { objectAnswer, sendAnswer, type Answer } from './answer.ts'
import { sendEventStream, type StreamStart } from './event_stream.ts'
import type { Exchange } from './exchange.ts'
import { idempotencyKeyOf, keyedAnswer } from './idempotency.ts'
import type { Request, Response } from 'express'
import type { Keep } from '../application/keyed_requests.ts'
import { answerPerson } from './oauth/authorize.ts'
import { challenging } from './oauth/challenge.ts'
import { answerClient } from './oauth/client_chain.ts'
import type { ChainParts } from './parts.ts'
import { parseQuery, queryPairs } from './query.ts'
import { chargeRequest, countingFailures } from './rate.ts'
import { receiveBody, requireFiles } from './received.ts'
import { requireRoute } from './route.ts'
import { readTerms } from './terms.ts'
import { requireTransport } from './transport.ts'
import { parseUrl } from './url.ts'

/** Answers one API request. @throws what its failure is, see `failureHandler` */
export async function answer(parts: ChainParts, request: Request, response: Response): Promise<void> {
  const exchange = parts.traffic.of(response)
  parts.cors.expose(request, response)
  parts.admission.enter(response)
  const deadline = new Deadline(parts.requestMilliseconds)
  try {
    const { answer: made, stream } = await deadline.guard(respond(parts, request, response, exchange, deadline))
    if (stream) await sendEventStream(parts, response, stream, made.headers)
    else sendAnswer(response, made)
  } catch (thrown) {
    throw challenging(thrown, request, parts.baseUrl())
  }
}

/** An answer, or the stream that stands for it. */
interface Reply {
  readonly answer: Answer
  readonly stream?: StreamStart | undefined
}

/** The checks in the order that the protocol fixes; the first that fails is the answer. */
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
  exchange.subject = operation.id
  await parts.interceptor?.onRoute(operation, request, response)
  requireTransport(exchange, request, parts.requiresHttps)
  requireAcceptable(operation, request)

  const { requestId } = exchange
  if (isForClients(operation))
    return { answer: await answerClient(parts, { operation, request, response, requestId, deadline, now }) }
  if (operation.credentials === 'none') {
    parts.admission.enterUnknown(response)
    return { answer: await answerPerson(parts, { request, response, exchange, query: url.query, deadline, now }) }
  }
  const identify = operation.credentials === 'connection' ? authenticateConnection : authenticate
  const { authorization } = request.headers
  const actor = await countingFailures(parts.budgets, exchange.peer, identify(parts.database, authorization, now))

  parts.admission.identify(response, actor.userId)
  const { version, betas } = readTerms(parts.headers, { operation, request, response, now })

  await chargeRequest(parts.budgets, response, actor)
  await parts.interceptor?.onAdmission(operation, request, response)
  requireCapability(actor, operation)
  const body = await receiveBody(parts, { operation, request, response, actor, path: pathParameters, now })
  const key = idempotencyKeyOf(operation, request)
  const form = wantsStream(operation, request) ? 'stream' : 'json'
  const admit = async (): Promise<Actor> => {
    const known = await identify(parts.database, authorization, parts.clock.now())
    requireCapability(known, operation)
    return known
  }
  const replyWith = (answer: StoredAnswer): Reply => ({
    answer,
    stream: form === 'stream' && answer.follow ? { actor, follow: answer.follow, admit } : undefined,
  })
  const run = (keep?: Keep): Promise<StoredAnswer> => {
    const query = parseQuery(url.query, parts.validator.listParameters(operation))
    const checked = check(parts.validator, { operation, path: pathParameters, query, body: body.fields }, version, betas)
    requireFiles(operation, body)
    const render: CheckedRequest['render'] = (result, { statuses }) => objectAnswer(result, requestId, statuses)
    return perform(parts, { ...checked, files: body.files, actor, now, version, deadline, form, render }, keep)
  }
  if (key === undefined) return replyWith(await body.settle(run))
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
    await body.settle(async () => keyedAnswer(await parts.keyedRequests.once(keyedRequest(actor, key, identity), deadline, run))),
  )
}
