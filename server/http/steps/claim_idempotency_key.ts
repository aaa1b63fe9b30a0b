import { keyedRequest } from '../../application/keyed_request.ts'
import type { KeyedRequests } from '../../application/keyed_requests.ts'
import type { Actor } from '../../domain/shared/index.ts'
import { idempotencyKeyOf } from '../idempotency_key.ts'
import { queryPairs } from '../parse_query.ts'
import { parseUrl } from '../parse_url.ts'
import type { Step } from './step.ts'

/** Performs a request with an idempotency key once, and repeats its response from then on. */
export function claimIdempotencyKey(keyedRequests: KeyedRequests): Step<Actor> {
  return async (context, call, next) => {
    const key = idempotencyKeyOf(call.operation, context.request)
    if (key === undefined) return next()
    const { caller, version, betas, request, target, deadline } = context
    const { segments, query } = parseUrl(target)
    const identity = { method: request.method, segments, query: queryPairs(query), version, betas, body: call.bodyIdentity?.() }
    const { response, isRepeated } = await keyedRequests.once(keyedRequest(caller, key, identity), deadline, (storeResponse) => {
      call.storeResponse = storeResponse
      return next()
    })
    return isRepeated ? { ...response, headers: { ...response.headers, 'Idempotency-Replayed': 'true' } } : response
  }
}
