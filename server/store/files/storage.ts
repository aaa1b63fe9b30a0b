import type { Readable } from 'node:stream'

/** The storage cannot be used, for example because it refuses the credentials. Errors of the system, such as `EACCES`, mean the same. */
export class StorageOutage extends Error {
  override readonly name = 'StorageOutage'
}

/** A storage for the bytes of files: objects under names that are never reused. */
export interface FileStorage {
  /** The folder or bucket, for messages; contains no secrets. */
  readonly place: string
  /**
   * Stores everything that `bytes` yields. Once it resolves, the object survives a crash of this machine. The memory it needs does not
   * depend on the length. A failed write may leave a part of the bytes behind, which `remove` deletes.
   * @throws StorageOutage, another error of the storage, or the error of `bytes`
   */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** The bytes of an object from `start` to `end`, both inclusive. @throws Error if there is no such object or no response */
  read(name: string, start: number, end: number): Promise<Readable>
  /** Removes an object, if it exists, and the remains of a failed write of it. */
  remove(name: string): Promise<void>
  /** Removes the remains of a part of the storage without objects, such as folders. Nobody may write there meanwhile. */
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
