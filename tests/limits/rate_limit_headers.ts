import type { TestResponse } from '../harness/responses.ts'

export interface BudgetHeader {
  /** Remaining requests. */
  readonly left: number
  /** Seconds until the window ends. */
  readonly seconds: number
}

/** The `RateLimit` header of a response by rate limit; undefined without it. */
export function budgetsOf(response: TestResponse): Record<string, BudgetHeader> | undefined {
  const header = response.headers['ratelimit']
  if (typeof header !== 'string') return undefined
  return Object.fromEntries(
    [...header.matchAll(/"(\w+)";r=(\d+);t=(\d+)/g)].map(([, name = '', left, seconds]) => [
      name,
      { left: Number(left), seconds: Number(seconds) },
    ]),
  )
}

/**
 * The remaining requests of a rate limit after this response.
 * @throws Error if the response has no figure
 */
export function left(response: TestResponse, budget: 'connection' | 'workspace'): number {
  const state = budgetsOf(response)?.[budget]
  if (!state) throw new Error(`no ${budget} limit on ${response.status} ${response.text.slice(0, 200)}`)
  return state.left
}
