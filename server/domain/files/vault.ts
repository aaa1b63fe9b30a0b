import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Clock } from '../../kernel/clock.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { systemRandom } from '../../kernel/random.ts'
import { serviceUnavailable } from '../../kernel/unavailable.ts'
import type { Database } from '../../store/database.ts'
import {
  announceObject,
  dropUnlessKept,
  findUsedObject,
  deleteObjectRecord,
  listDueObjects,
  postponeObject,
  type DueObject,
  type FileObject,
} from '../../store/file_objects.ts'
import type { FilePart } from '../../store/file_parts.ts'
import { StorageOutage, type FileStorage } from '../../store/files/storage.ts'
import { HEAD_BYTES } from './detect.ts'

/** Bytes that have been received but are not part of an upload yet. */
export interface StoredBytes {
  /** Undefined if the bytes were only measured. */
  readonly object: FileObject | undefined
  readonly byteLength: number
  /** The first bytes. */
  readonly head: Uint8Array
  /** The SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string
}

/** Unclaimed bytes are deleted after this time, which is longer than any request or import takes. */
const UNCLAIMED_MS = 2 * 60 * 60 * 1000
const REMOVALS_AT_ONCE = 8
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Thrown if there are more bytes than allowed. */
export class TooManyBytesError extends Error {
  override readonly name = 'TooManyBytesError'
}

/** Thrown if the source of the bytes failed, for the reason in `cause`. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
}

interface Parts {
  readonly database: Database
  readonly storage: FileStorage
  readonly clock: Clock
  /** Called if the storage cannot be written at all, or a file cannot be read. */
  readonly onFault?: (error: unknown) => void
}

/**
 * Stores the bytes of files. Objects are recorded in the database before they are stored, and claimed by the row that refers to them, so
 * that the sweeper finds the remains of a crash.
 */
export class FileVault {
  readonly #deps: Parts

  constructor(deps: Parts) {
    this.#deps = deps
  }

  /**
   * Stores a stream of bytes, in constant memory.
   * @throws TooManyBytesError, SourceError, or ServiceError `service_unavailable` if the storage cannot be used, `conflict_error` if it
   * refused these bytes
   */
  async store(workspaceId: string, bytes: AsyncIterable<Uint8Array>, bytesMax: number): Promise<StoredBytes> {
    const { database, storage, clock } = this.#deps
    // No response shows this id, so it need not be predictable. If it came from the seed, the same id would be generated again after a
    // restore, while the storage still has the earlier bytes.
    const object = { workspaceId, id: systemRandom.uuid() }
    await database.write((db) => announceObject(db, object, clock.now() + UNCLAIMED_MS))
    const meter = new Meter(bytesMax)
    try {
      await storage.write(objectName(object), meter.through(bytes))
    } catch (error) {
      await this.abandon(object)
      if (error instanceof TooManyBytesError || error instanceof SourceError) throw error
      if (!isOutage(error)) throw refusedBytes(error)
      this.#deps.onFault?.(error)
      throw serviceUnavailable('The file storage is unavailable. Nothing was changed.', error)
    }
    return { object, ...meter.figures() }
  }

  /** Measures a stream of bytes without storing it. @throws TooManyBytesError, SourceError */
  async look(bytes: AsyncIterable<Uint8Array>, bytesMax: number): Promise<StoredBytes> {
    const meter = new Meter(bytesMax)
    for await (const chunk of meter.through(bytes)) void chunk
    return { object: undefined, ...meter.figures() }
  }

  /** Deletes bytes that are not claimed. If that fails, the sweeper deletes them later. */
  async abandon(object: FileObject): Promise<void> {
    const { database, clock } = this.#deps
    await database.write((db) => dropUnlessKept(db, object, clock.now())).catch(() => undefined)
  }

  /** Streams the bytes of a file from `start` to `end`, both inclusive. @throws errors of the storage */
  async *read(parts: readonly FilePart[], start: number, end: number): AsyncGenerator<Uint8Array, void, undefined> {
    let position = 0
    for (const { object, byteLength } of parts) {
      const [from, to] = [Math.max(start - position, 0), Math.min(end - position, byteLength - 1)]
      position += byteLength
      if (from > to) continue
      const bytes = await this.#open(objectName(object), from, to)
      yield* bytes
    }
  }

  async #open(name: string, start: number, end: number): Promise<Readable> {
    try {
      return await this.#deps.storage.read(name, start, end)
    } catch (error) {
      this.#deps.onFault?.(error)
      throw error
    }
  }

  /**
   * Deletes unclaimed bytes. Objects that cannot be deleted are retried after growing pauses, so that they do not delay others.
   * @returns the number of objects that were due; fewer than `limit` if nothing is left
   * @throws the error of the storage, at once if a whole batch fails, otherwise at the end
   */
  async sweep(now: number, limit: number): Promise<number> {
    const { database } = this.#deps
    const due = await database.read((db) => listDueObjects(db, now, limit))
    const failures: unknown[] = []
    for (let start = 0; start < due.length; start += REMOVALS_AT_ONCE) {
      const batch = due.slice(start, start + REMOVALS_AT_ONCE)
      const found = await this.#remove(batch, now)
      failures.push(...found)
      if (found.length === batch.length) break
    }
    if (failures.length > 0) throw failures[0]
    return due.length
  }

  async #remove(batch: readonly DueObject[], now: number): Promise<unknown[]> {
    const { database, storage } = this.#deps
    const outcomes = await Promise.allSettled(batch.map((object) => storage.remove(objectName(object))))
    await database.write(async (db) => {
      for (const [index, object] of batch.entries()) {
        if (outcomes[index]?.status === 'fulfilled') await deleteObjectRecord(db, object)
        else await postponeObject(db, object, now + retryPause(object.removalFailures))
      }
    })
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  }

  /** Whether there are uploads whose bytes cannot be read. If so, the storage is not the one in which they were stored. */
  async lacksFiles(): Promise<boolean> {
    const { database, storage } = this.#deps
    const used = await database.read(findUsedObject)
    if (!used) return false
    try {
      for await (const chunk of await storage.read(objectName(used), 0, 0)) void chunk
      return false
    } catch {
      return true
    }
  }
}

/** The pause before the next attempt: one minute, doubled with each failure, up to a day. */
function retryPause(failures: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.min(failures, 20), DAY_MS)
}

/** The name of an object in the file storage. */
export function objectName({ workspaceId, id }: FileObject): string {
  return `${workspaceId}/${id.slice(0, 2)}/${id}`
}

/** Error codes of the system, such as `EACCES`, `ENOSPC` and `ECONNREFUSED`. */
const SYSTEM_CODE = /^E[A-Z0-9]+$/

/** Whether the whole storage failed, not only this write. */
function isOutage(error: unknown): boolean {
  if (error instanceof StorageOutage) return true
  return error instanceof Error && 'code' in error && SYSTEM_CODE.test(String(error.code))
}

function refusedBytes(cause: unknown): ServiceError {
  return new ServiceError('conflict_error', {
    message: 'The file storage did not accept these bytes. Nothing was changed; send them again.',
    internal: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    cause,
  })
}

/** Counts and hashes bytes as they pass. */
class Meter {
  readonly #bytesMax: number
  readonly #hash = createHash('sha256')
  readonly #head: Uint8Array[] = []
  #headLength = 0
  #byteLength = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  async *through(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of bytes) {
        this.#count(chunk)
        yield chunk
      }
    } catch (error) {
      throw error instanceof TooManyBytesError
        ? error
        : new SourceError('the sender closed the connection before the end of the body', { cause: error })
    }
  }

  figures(): Omit<StoredBytes, 'object'> {
    return { byteLength: this.#byteLength, head: Buffer.concat(this.#head), digest: this.#hash.digest('hex') }
  }

  #count(chunk: Uint8Array): void {
    this.#byteLength += chunk.byteLength
    if (this.#byteLength > this.#bytesMax) throw new TooManyBytesError()
    this.#hash.update(chunk)
    if (this.#headLength >= HEAD_BYTES) return
    const head = Uint8Array.from(chunk.subarray(0, HEAD_BYTES - this.#headLength))
    this.#head.push(head)
    this.#headLength += head.byteLength
  }
}
