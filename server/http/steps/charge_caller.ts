import type { Actor, RateLimiter } from '../../domain/shared/index.ts'
import { setRateLimitHeaders } from '../charge_request.ts'
import type { Step } from './step.ts'

/** Charges a request to the rate limits of its caller, and sets the `RateLimit` headers. */
export function chargeCaller(rateLimiter: RateLimiter): Step<Actor> {
  return async ({ response, caller }, _call, next) => {
    const { states, refusal } = await rateLimiter.chargeRequest(caller)
    setRateLimitHeaders(response, states)
    if (refusal) throw refusal
    return next()
  }
}
