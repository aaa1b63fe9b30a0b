import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder in which every test file records the responses it has seen. */
    seenFolder: string
  }
}

const seen = new Set<string>()

/** Records that a test has seen a status of an operation, for `completeness/report.ts`. */
export function markSeen(operation: string, status: number | string): void {
  const pair = `${operation} ${status}`
  if (seen.has(pair)) return
  seen.add(pair)
  const folder = inject('seenFolder')
  if (folder) appendFileSync(`${folder}/${process.pid}.txt`, `${pair}\n`)
}
