import type { Answer } from '../harness/answers.ts'

export interface BudgetHeader {
  /** Requests left. */
  readonly left: number
  /** Seconds until the window ends. */
  readonly seconds: number
}

/** The `RateLimit` header of an answer by budget; undefined when it has none. */
export function budgetsOf(answer: Answer): Record<string, BudgetHeader> | undefined {
  const header = answer.headers['ratelimit']
  if (typeof header !== 'string') return undefined
  return Object.fromEntries(
    [...header.matchAll(/"(\w+)";r=(\d+);t=(\d+)/g)].map(([, name = '', left, seconds]) => [
      name,
      { left: Number(left), seconds: Number(seconds) },
    ]),
  )
}

/** What is left of a budget after this answer. @throws Error when the answer does not say */
export function left(answer: Answer, budget: 'connection' | 'workspace'): number {
  const state = budgetsOf(answer)?.[budget]
  if (!state) throw new Error(`no ${budget} budget on ${answer.status} ${answer.text.slice(0, 200)}`)
  return state.left
}
