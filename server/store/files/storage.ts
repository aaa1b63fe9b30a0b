import type { Readable } from 'node:stream'

/**
 * Thrown if the storage cannot be used, for example because it refuses the credentials. Errors of the operating system, such as `EACCES`,
 * mean the same.
 */
export class StorageOutage extends Error {
  override readonly name = 'StorageOutage'
}

/** A storage for the bytes of files. It contains objects, whose names are never reused. */
export interface FileStorage {
  /** The folder or bucket, for messages. It contains no secrets. */
  readonly place: string
  /**
   * Stores everything that `bytes` yields. Once the promise resolves, the object survives a crash of this machine. The memory that this
   * needs does not depend on the length. A failed write may leave some of the bytes behind; `remove` deletes them.
   * @throws StorageOutage, another error of the storage, or the error of `bytes`
   */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * The bytes of an object from `start` to `end`, both inclusive. @throws Error if there is no such object, or the storage does not respond
   */
  read(name: string, start: number, end: number): Promise<Readable>
  /** Removes an object, if it exists, and what a failed attempt to write it has left. */
  remove(name: string): Promise<void>
  /** Removes empty folders and the like from a part of the storage that has no objects. Nothing may be written there in the meantime. */
  removeRemains(part: string): Promise<void>
  /**
   * Checks whether the storage can be used, without changing it.
   * @throws Error that says why it cannot
   */
  check(): Promise<StorageState>
  close(): Promise<void>
}

interface StorageState {
  /** The free space in bytes; undefined if unknown. */
  readonly freeBytes: number | undefined
  /** Whether the folder does not exist yet; the first write creates it. */
  readonly isMissing?: boolean
}
