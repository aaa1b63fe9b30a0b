import { keyedRequest } from '../application/request_identity.ts'
import { findRoute, type Operation, type OperationId } from '../contract/operation.ts'
import type { ContractValidator } from '../contract/validator.ts'
import { authenticate } from '../domain/authenticate.ts'
import { requireCapability } from '../domain/capability.ts'
import type { StoredAnswer } from '../domain/idempotency.ts'
import { isPending, perform, type CheckedRequest, type PlainCall } from '../application/perform.ts'
import { Deadline } from '../kernel/deadline.ts'
import { ServiceError } from '../kernel/errors.ts'
import { newestRelease, Translation, type ReleaseDate } from '../versions/index.ts'
import { objectAnswer, sendAnswer, type Answer } from './answer.ts'
import { parseBetas } from './beta.ts'
import type { Exchange } from './exchange.ts'
import { answerFailure } from './failure.ts'
import { idempotencyKeyOf, keyedAnswer } from './idempotency.ts'
import { methodOf, type Request, type Response } from './incoming.ts'
import type { Keep } from '../application/keyed_requests.ts'
import { answerPerson } from './oauth/authorize.ts'
import { challenging } from './oauth/challenge.ts'
import { answerClient } from './oauth/client_chain.ts'
import type { ChainParts } from './parts.ts'
import { parseQuery, queryPairs } from './query.ts'
import { chargeRequest, countingFailures } from './rate.ts'
import { receiveBody, requireFiles } from './received.ts'
import { requireTransport } from './transport.ts'
import { invalidUrl, parseUrl } from './url.ts'
import { parseVersion } from './version.ts'

/** Answers one API request. Whatever happens inside, exactly one answer goes out. */
export async function answer(parts: ChainParts, request: Request, response: Response): Promise<void> {
  const exchange = parts.traffic.of(response)
  parts.cors.expose(request, response)
  try {
    parts.admission.enter(response)
    const deadline = new Deadline(parts.requestMilliseconds)
    sendAnswer(response, await deadline.guard(respond(parts, request, response, exchange, deadline)))
  } catch (thrown) {
    answerFailure(exchange, request, response, challenging(thrown, request, parts.baseUrl()))
    // A body that was never read would keep the connection busy.
    if (!request.complete) request.resume()
  }
}

/** The checks in the order that the protocol fixes; the first that fails is the answer. */
async function respond(
  parts: ChainParts,
  request: Request,
  response: Response,
  exchange: Exchange,
  deadline: Deadline,
): Promise<Answer> {
  const now = parts.clock.now()
  const url = parseUrl(exchange.target)
  const { operation, pathParameters } = requireRoute(methodOf(request), url.segments)
  exchange.subject = operation.id
  requireTransport(exchange, request, parts.requiresHttps)
  requireAcceptable(operation, request.headers.accept)

  const { requestId } = exchange
  if (operation.credentials === 'client') return answerClient(parts, { operation, request, response, requestId, deadline, now })
  if (operation.credentials === 'none') {
    parts.admission.enterUnknown(response)
    return answerPerson(parts, { request, response, exchange, query: url.query, deadline, now })
  }
  if (operation.credentials !== 'bearer') throw notServedYet(operation)
  const actor = await countingFailures(
    parts.budgets,
    exchange.peer,
    authenticate(parts.database, request.headers.authorization, now),
  )

  parts.admission.identify(response, actor.userId)
  const version = parseVersion(parts.headers.read(request, 'Version'), parts.headers.nameOf('Version'))
  parts.headers.set(response, 'Version', version)
  const betas = parseBetas(parts.headers.read(request, 'Beta'), version, now, parts.headers.nameOf('Version'))
  if (betas.flags.length > 0) parts.headers.set(response, 'Beta', betas.flags.join(', '))
  if (betas.sunset !== undefined) response.setHeader('Sunset', betas.sunset)
  requireAvailable(operation, version)
  if (isPending(operation.id)) throw notServedYet(operation)

  await chargeRequest(parts.budgets, response, actor)
  requireCapability(actor, operation)
  const body = await receiveBody(parts, { operation, request, response, actor, path: pathParameters, now })
  const key = idempotencyKeyOf(operation, request)
  const run = (keep?: Keep): Promise<StoredAnswer> => {
    const query = parseQuery(url.query, parts.validator.listParameters(operation))
    const checked = check(parts.validator, { operation, path: pathParameters, query, body: body.fields }, version, betas.flags)
    requireFiles(operation, body)
    const render: CheckedRequest['render'] = (result, { statuses }) => objectAnswer(result, requestId, statuses)
    return perform(parts, { ...checked, files: body.files, actor, now, version, deadline, render }, keep)
  }
  if (key === undefined) return body.settle(run)
  const { segments } = url
  const identity = {
    method: methodOf(request),
    segments,
    query: queryPairs(url.query),
    version,
    betas: betas.flags,
    body: body.identity(),
  }
  return body.settle(async () => keyedAnswer(await parts.keyedRequests.once(keyedRequest(actor, key, identity), deadline, run)))
}

function requireRoute(
  method: string,
  segments: readonly string[],
): { operation: Operation & { id: OperationId }; pathParameters: Readonly<Record<string, string>> } {
  const match = findRoute(method, segments)
  if (match === undefined) throw invalidUrl('There is no such path.')
  if ('operation' in match) return match
  throw invalidUrl(`This path is not served with ${method}.`, { Allow: match.join(', ') })
}

function requireAcceptable({ successTypes }: Operation, accept: string | undefined): void {
  if (accept === undefined || accept.trim() === '' || accept.split(',').some((range) => allowsOneOf(successTypes, range))) return
  throw new ServiceError('invalid_request', {
    message: `This operation answers ${successTypes.join(' or ')}; the Accept header excludes that.`,
  })
}

/** @param range one entry of an Accept header; a weight of zero excludes what it names */
function allowsOneOf(types: readonly string[], range: string): boolean {
  const [wanted = '', ...parameters] = range
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  if (parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) return false
  return wanted === '*/*' || types.some((type) => type === wanted || wanted === `${type.split('/', 1)[0]}/*`)
}

function requireAvailable(operation: Operation, version: string): void {
  const { from, before } = operation.available
  if ((from !== undefined && version < from) || (before !== undefined && version >= before)) {
    throw invalidUrl(`${operation.method.toUpperCase()} ${operation.path} does not exist in version ${version}.`)
  }
}

function notServedYet(operation: Operation): ServiceError {
  return new ServiceError('service_unavailable', {
    message: `${operation.id} is part of the contract but not of this release yet. The mock answers it: npm run mock.`,
  })
}

/**
 * Holds a request against the contract, that of an older version once it has been made into calls of the newest.
 * @throws ServiceError `validation_error`, naming places as the caller wrote them
 */
function check(
  validator: ContractValidator,
  asked: PlainCall,
  version: ReleaseDate,
  betas: readonly string[],
): Pick<CheckedRequest, 'calls' | 'translation'> {
  const headers = { 'service-version': version }
  if (version === newestRelease)
    return { calls: [{ ...asked, ...validator.validate(asked.operation, asked, headers, betas) }], translation: undefined }
  const translation = new Translation(version, asked.operation, asked)
  const calls = translation.calls.map((call) => {
    try {
      return { ...call, ...validator.validate(call.operation, call, headers, betas, translation.ignoresKey) }
    } catch (error) {
      throw translation.relocate(error, call)
    }
  })
  return { calls, translation }
}
