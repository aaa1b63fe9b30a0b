import type { TestResponse } from '../harness/responses.ts'

export interface RateLimitFigures {
  /** Remaining requests. */
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly seconds: number
}

/** The `RateLimit` header of a response by rate limit; undefined without it. */
export function rateLimitsOf(response: TestResponse): Record<string, RateLimitFigures> | undefined {
  const header = response.headers['ratelimit']
  if (typeof header !== 'string') return undefined
  return Object.fromEntries(
    [...header.matchAll(/"(\w+)";r=(\d+);t=(\d+)/g)].map(([, name = '', remaining, seconds]) => [
      name,
      { remaining: Number(remaining), seconds: Number(seconds) },
    ]),
  )
}

/**
 * The remaining requests of a rate limit after this response.
 * @throws Error if the response has no figure
 */
export function remaining(response: TestResponse, name: 'connection' | 'workspace'): number {
  const state = rateLimitsOf(response)?.[name]
  if (!state) throw new Error(`no ${name} limit on ${response.status} ${response.text.slice(0, 200)}`)
  return state.remaining
}
