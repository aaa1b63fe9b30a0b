import type { ReleaseDate } from '../../generated/types.ts'
import type { RequestParts } from '../contract/locations.ts'
import type { Operation, OperationId } from '../contract/operation.ts'
import { complaintError, ServiceError } from '../kernel/errors.ts'
import type { JsonObject } from './json.ts'
import { lookupsOf, type Reader } from './lookups.ts'
import { isRefused, Origins } from './origins.ts'
import type { ReleaseChange, Lookups, NewCall, OldRequest } from './release.ts'
import { releases } from './releases.ts'
import { isObject } from '../kernel/is_object.ts'

/** The changes made after a version, oldest first. */
function changesAfter(version: ReleaseDate): readonly ReleaseChange[] {
  return releases.filter(({ date }) => date > version).flatMap(({ changes }) => changes)
}

/** Translates one request of an older release into calls of the newest, and their response and errors back into the older form. */
export class Translation {
  readonly #changes: readonly ReleaseChange[]
  readonly #request: OldRequest

  /** @param parts the request as it was received; its body is rewritten in place */
  constructor(version: ReleaseDate, operation: Operation & { readonly id: OperationId }, parts: RequestParts) {
    this.#changes = changesAfter(version)
    const call: NewCall = {
      operation,
      path: { ...parts.path },
      query: { ...parts.query },
      body: isObject(parts.body) ? parts.body : undefined,
    }
    this.#request = { version, call, calls: [call], origins: new Origins(), preparations: [] }
    for (const change of this.#changes) change.upgrade?.(this.#request)
  }

  /** The calls to perform instead, in order and in one transaction. The last one gives the response. */
  get calls(): readonly NewCall[] {
    return this.#request.calls
  }

  /** Whether an unknown key is ignored rather than refused; undefined if the version refuses all of them. */
  get ignoresKey(): ((key: string) => boolean) | undefined {
    return this.#changes.some(({ ignoresUnknownKeys }) => ignoresUnknownKeys) ? (key) => !isRefused(key) : undefined
  }

  /** Whether `prepare` must run before the calls can be performed. */
  get needsPreparation(): boolean {
    return this.#request.preparations.length > 0
  }

  /**
   * Completes the calls with stored data. Call it in their transaction, before the first of them.
   * @throws ServiceError `validation_error` if a database has a form that the version cannot address
   */
  prepare(read: Reader): Promise<void> {
    return this.prepareWith(lookupsOf(read))
  }

  /** Like `prepare`, with given look-ups. */
  async prepareWith(lookups: Lookups): Promise<void> {
    for (const preparation of this.#request.preparations) await preparation(lookups)
  }

  /** The response in the form of the version. If the calls write, call it in their transaction, after the last of them. */
  finish(response: object, read: Reader): Promise<JsonObject> {
    return this.downgrade({ ...response }, lookupsOf(read))
  }

  /** Like `finish`, with given look-ups. */
  async downgrade(response: JsonObject, lookups: Lookups): Promise<JsonObject> {
    let older = response
    for (const { downgrade } of this.#changes.toReversed()) if (downgrade) older = await downgrade(older, lookups, this.#request)
    return older
  }

  /** A validation error of one of the calls with the paths and values that the caller wrote. Other errors are returned unchanged. */
  relocate(thrown: unknown, call: RequestParts): unknown {
    if (!(thrown instanceof ServiceError) || thrown.complaints.length === 0) return thrown
    const { origins } = this.#request
    const failed = thrown.additionalData?.['failed_paths'] ?? []
    return complaintError(
      thrown.complaints.map((complaint) => origins.translate(complaint, call)),
      Array.isArray(failed) ? [...new Set(failed.map((path) => origins.translatePath(path, call)))] : [],
    )
  }
}
