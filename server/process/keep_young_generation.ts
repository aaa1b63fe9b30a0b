import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

/** By then, most of the code that startup and the first requests need has been compiled. */
const SETTLED_MS = 1_000

/**
 * Keeps the young generation of the heap at its size after startup, 8 MiB. Under load, the engine would let it grow to 64 MiB. Only the
 * command line of Node.js can limit it from the beginning, and installed programs do not control that.
 */
export function keepYoungGeneration(): void {
  setTimeout(keepYoungGenerationNow, SETTLED_MS).unref()
}

/** Keeps the young generation at its current size, for commands whose objects live either long or very briefly. */
export function keepYoungGenerationNow(): void {
  // The engine accepts cached code only under the options that were set when it was cached.
  module.flushCompileCache()
  setFlagsFromString('--semi-space-growth-factor=1')
}
