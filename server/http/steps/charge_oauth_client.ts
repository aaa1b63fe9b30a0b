import type { RateLimiter } from '../../domain/shared/index.ts'
import type { OAuthClient } from '../../domain/oauth/index.ts'
import type { Step } from './step.ts'

/** Charges a request to the rate limit of its OAuth client. The response gets no `RateLimit` headers. */
export function chargeOAuthClient(rateLimiter: RateLimiter): Step<OAuthClient> {
  return async ({ caller }, _call, next) => {
    const { refusal } = await rateLimiter.chargeClient(caller.clientId ?? caller.id)
    if (refusal) throw refusal
    return next()
  }
}
