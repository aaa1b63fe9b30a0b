import type { Readable } from 'node:stream'

/** Where the bytes of files are stored: objects under names that are used once. */
export interface FileStorage {
  /** For people: a folder, or a bucket. Holds no secrets. */
  readonly place: string
  /**
   * Stores everything that `bytes` yields, for good: what resolves has survived a crash of this machine. Memory is the same whatever
   * the length. A write that fails may leave a part of the bytes behind, which `remove` takes away.
   * @throws Error of the storage, or that of `bytes`
   */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Bytes of an object from `start` to `end`, both included. @throws Error when it is not there, or the storage does not answer */
  read(name: string, start: number, end: number): Promise<Readable>
  /** Removes an object and whatever a broken write left of it. One that is not there is fine. */
  remove(name: string): Promise<void>
  /** Checks whether the storage can be used, and changes nothing. @throws Error saying why not */
  check(): Promise<StorageState>
  close(): Promise<void>
}

interface StorageState {
  /** Bytes that can still be stored; undefined where no one knows. */
  readonly freeBytes: number | undefined
  /** Whether it has to be made first, which the first write does. */
  readonly isMissing?: boolean
}
