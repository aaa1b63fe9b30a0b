import type { Kind } from './kind.ts'
import { error } from './error.ts'
import { event } from './event.ts'
import { operation } from './operation.ts'
import { release } from './release.ts'

/** What can be begun, by the word of the command. */
export const kinds: ReadonlyMap<string, Kind> = new Map([
  ['operation', operation],
  ['event', event],
  ['error', error],
  ['release', release],
])
