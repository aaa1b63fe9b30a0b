import type { Request, Response as ExpressResponse } from 'express'
import type { Actor } from '../domain/shared/index.ts'
import type { OAuthClient } from '../domain/oauth/index.ts'
import { Deadline } from '../kernel/deadline.ts'
import type { Dependencies } from './dependencies.ts'
import { sendEventStream } from './event_stream.ts'
import { respondToAuthorization } from './oauth/authorize.ts'
import { withChallenge } from './oauth/with_challenge.ts'
import { sendResponse } from './response.ts'
import { authenticateOAuthClient } from './steps/authenticate_oauth_client.ts'
import { authenticateToken } from './steps/authenticate_token.ts'
import { chargeCaller } from './steps/charge_caller.ts'
import { chargeOAuthClient } from './steps/charge_oauth_client.ts'
import { checkAccept } from './steps/check_accept.ts'
import { checkCapability } from './steps/check_capability.ts'
import { checkClient } from './steps/check_client.ts'
import { checkTransport } from './steps/check_transport.ts'
import { claimIdempotencyKey } from './steps/claim_idempotency_key.ts'
import { limitUnauthenticated } from './steps/limit_unauthenticated.ts'
import { observeAdmission } from './steps/observe_admission.ts'
import { observeRoute } from './steps/observe_route.ts'
import { performCall } from './steps/perform_call.ts'
import { performClientCall } from './steps/perform_client_call.ts'
import { prepareStream } from './steps/prepare_stream.ts'
import { readClientVersion } from './steps/read_client_version.ts'
import { readVersion } from './steps/read_version.ts'
import { receiveBody } from './steps/receive_body.ts'
import { receiveClientBody } from './steps/receive_client_body.ts'
import { routeCall } from './steps/route_call.ts'
import { composeChain, type Chain } from './steps/step.ts'
import { validateCall } from './steps/validate_call.ts'
import { validateClientCall } from './steps/validate_client_call.ts'

/** Creates the handler of API requests. It throws any error of a request, which `failureHandler` turns into a response. */
export function serveChains(deps: Dependencies): (request: Request, response: ExpressResponse) => Promise<void> {
  const chains = chainsOf(deps)
  return async (request, response) => {
    const context = deps.contexts.of(response)
    deps.cors.expose(request, response)
    deps.admission.admit(response)
    context.now = deps.clock.now()
    context.deadline = new Deadline(deps.requestMilliseconds)
    try {
      const call = routeCall(context)
      const result = await context.deadline.guard(chains[call.operation.credentials](context, call))
      if (context.stream) await sendEventStream(deps, response, context.stream, result.headers)
      else sendResponse(response, result)
    } catch (thrown) {
      throw withChallenge(thrown, request, deps.baseUrl())
    }
  }
}

/** The chain of each kind of credentials. */
function chainsOf(deps: Dependencies): Readonly<Record<'bearer' | 'connection' | 'client' | 'none', Chain>> {
  const { headers, rateLimiter, interceptor, validator } = deps
  const first = {
    route: interceptor && observeRoute(interceptor),
    transport: checkTransport(deps.requiresHttps),
    accept: checkAccept,
  }
  const api = composeChain<Actor>({
    ...first,
    authenticate: authenticateToken(deps),
    version: readVersion(headers),
    rateLimit: chargeCaller(rateLimiter),
    admission: interceptor && observeAdmission(interceptor),
    capability: checkCapability,
    stream: prepareStream(deps),
    body: receiveBody(deps),
    idempotencyKey: claimIdempotencyKey(deps.keyedRequests),
    validate: validateCall(deps),
    perform: performCall(deps),
  })
  const client = composeChain<OAuthClient>({
    ...first,
    authenticate: authenticateOAuthClient(deps),
    version: readClientVersion(headers),
    rateLimit: chargeOAuthClient(rateLimiter),
    body: receiveClientBody,
    validate: validateClientCall(validator),
    client: checkClient,
    perform: performClientCall(deps),
  })
  const page = composeChain({
    ...first,
    rateLimit: limitUnauthenticated(deps.admission),
    perform: respondToAuthorization(deps),
  })
  return { bearer: api, connection: api, client, none: page }
}
