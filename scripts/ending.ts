/** Programs that run until they are told to end. */

import { whenNpmEnds } from '../server/kernel/npm_parent.ts'

/** Calls `end` once, for SIGINT or SIGTERM, to this process or to the npm that has started it. */
export function whenTold(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  whenNpmEnds(end)
}
