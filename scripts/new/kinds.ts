import type { Kind } from './kind.ts'
import { error } from './error.ts'
import { event } from './event.ts'
import { operation } from './operation.ts'
import { release } from './release.ts'

/** The kinds of additions, by the first argument of the command. */
export const kinds: ReadonlyMap<string, Kind> = new Map([
  ['operation', operation],
  ['event', event],
  ['error', error],
  ['release', release],
])
