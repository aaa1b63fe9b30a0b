import { closeSync, openSync } from 'node:fs'

const OWNER_ONLY = 0o600

/**
 * Creates a file that only its owner may read, unless it exists. A database contains private data and the key that signs cursors and
 * links, but SQLite creates files with the default permissions. If the file cannot be created, SQLite reports the error.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', OWNER_ONLY))
  } catch {
    // The file exists, or SQLite will fail to create it as well.
  }
}
