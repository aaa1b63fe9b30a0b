import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

/** By then, most code that a start and the first requests need is compiled. */
const SETTLED_MS = 1_000

/**
 * Keeps the young generation of the heap at its size after startup, 8 MiB. Under load, the engine would let it grow to 64 MiB. Only the
 * command line of Node.js can limit it from the beginning, and installed programs do not control that.
 */
export function keepYoungGeneration(): void {
  setTimeout(keepYoungGenerationNow, SETTLED_MS).unref()
}

/** Keeps it at its current size, for commands whose objects live long or not at all. */
export function keepYoungGenerationNow(): void {
  // The engine accepts cached code only under the options with which it was cached.
  module.flushCompileCache()
  setFlagsFromString('--semi-space-growth-factor=1')
}
