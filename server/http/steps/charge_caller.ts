import type { Response } from 'express'
import type { Actor, RateLimiter } from '../../domain/shared/index.ts'
import { setRateLimitHeaders } from '../charge_request.ts'
import type { Step } from './step.ts'

/** Charges a request to the rate limits of its caller, and sets the `RateLimit` headers. */
export function chargeCaller(rateLimiter: RateLimiter): Step<Actor> {
  return async ({ response, caller }, _call, next) => {
    await chargeActor(rateLimiter, response, caller)
    return next()
  }
}

/** @throws ServiceError `rate_limited` */
export async function chargeActor(rateLimiter: RateLimiter, response: Response, actor: Actor): Promise<void> {
  const { states, refusal } = await rateLimiter.chargeRequest(actor)
  setRateLimitHeaders(response, states)
  if (refusal) throw refusal
}
