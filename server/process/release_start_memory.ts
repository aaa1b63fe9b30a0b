import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Releases memory that only the start needed. Compiling the contract leaves several times as much garbage as it keeps, and the
 * engine would otherwise keep that space for the life of the process. Blocks for about 50 ms.
 */
export function releaseStartMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  // An ordinary collection keeps the space for later; this one returns it to the system.
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
