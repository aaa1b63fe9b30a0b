import { whenNpmEnds } from '../server/kernel/npm_parent.ts'

/** Calls `end` on SIGINT or SIGTERM, or when the npm that started this process ends. */
export function onTermination(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  whenNpmEnds(end)
}
