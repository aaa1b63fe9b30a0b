import type { RateLimiter, RateLimitState } from '../domain/shared/index.ts'
import { ServiceError } from '../kernel/errors.ts'
import { OAuthError } from '../kernel/oauth_error.ts'
import type { Response } from 'express'
import { networkOf } from './network_of.ts'
import type { RemoteClient } from './remote_client.ts'

/** The state of a rate limit as the `RateLimit` headers show it. */
export type ShownRateLimit = Pick<RateLimitState, 'name' | 'quota' | 'remaining' | 'secondsLeft'>

export function setRateLimitHeaders(response: Response, states: readonly ShownRateLimit[]): void {
  let [policy, state] = ['', '']
  for (const { name, quota, remaining, secondsLeft } of states) {
    const comma = policy === '' ? '' : ', '
    policy += `${comma}"${name}";q=${quota.requests};w=${quota.seconds}`
    state += `${comma}"${name}";r=${remaining};t=${secondsLeft}`
  }
  response.setHeader('RateLimit-Policy', policy)
  response.setHeader('RateLimit', state)
}

/**
 * Runs an authentication, and charges a failed one to the address of the caller.
 * @throws ServiceError `rate_limited` after too many failures from the address; otherwise what `authentication` throws
 */
export async function chargingFailures<T>(
  rateLimiter: RateLimiter,
  remote: RemoteClient,
  authentication: () => Promise<T>,
): Promise<T> {
  try {
    return await authentication()
  } catch (error) {
    const isFailure = (error instanceof ServiceError || error instanceof OAuthError) && error.status === 401
    if (isFailure) await rateLimiter.chargeFailedAuthentication(networkOf(remote.address))
    throw error
  }
}
