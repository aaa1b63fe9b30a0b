import { closeSync, openSync } from 'node:fs'

const OWNER_ONLY = 0o600

/**
 * Makes a file that its owner alone may read, unless there is one: a database holds what callers may not see, and the key that
 * cursors and links are signed with, but the engine makes files for everyone. Where that cannot be, the engine says why.
 */
export function makePrivately(path: string): void {
  try {
    closeSync(openSync(path, 'ax', OWNER_ONLY))
  } catch {
    // There is one, or the engine will not be able to make one either.
  }
}
