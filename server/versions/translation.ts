import type { ReleaseDate } from '../../generated/types.ts'
import type { RequestParts } from '../contract/places.ts'
import type { Operation, OperationId } from '../contract/operation.ts'
import { complaintError, ServiceError } from '../kernel/errors.ts'
import { isObject, type JsonObject } from './json.ts'
import { lookupsOf, type Reader } from './lookups.ts'
import { isRefused, Origins } from './origins.ts'
import type { ReleaseChange, Lookups, NewCall, OldRequest } from './release.ts'
import { releases } from './releases.ts'

/** Changes that are newer than a version, oldest first. */
function changesAfter(version: ReleaseDate): readonly ReleaseChange[] {
  return releases.filter(({ date }) => date > version).flatMap(({ changes }) => changes)
}

/** One request of an older release on its way to the newest, and its answer on the way back. */
export class Translation {
  readonly #changes: readonly ReleaseChange[]
  readonly #request: OldRequest

  /** @param parts the request as it came; its body is rewritten in place */
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

  /** What to carry out instead, in this order and in one transaction. The answer is that of the last. */
  get calls(): readonly NewCall[] {
    return this.#request.calls
  }

  /** Keys that are left out where they would be refused as unknown; undefined where the version ignores none. */
  get ignoresKey(): ((key: string) => boolean) | undefined {
    return this.#changes.some(({ ignoresUnknownKeys }) => ignoresUnknownKeys) ? (key) => !isRefused(key) : undefined
  }

  get needsPreparation(): boolean {
    return this.#request.preparations.length > 0
  }

  /**
   * Fills in what only stored data can tell. Runs in the transaction of the calls, before them.
   * @throws ServiceError `validation_error` for a database that the version cannot address
   */
  prepare(read: Reader): Promise<void> {
    return this.prepareWith(lookupsOf(read))
  }

  async prepareWith(lookups: Lookups): Promise<void> {
    for (const preparation of this.#request.preparations) await preparation(lookups)
  }

  /** The answer in the form of the version. Where the calls write, it runs in their transaction, behind them. */
  finish(answer: object, read: Reader): Promise<JsonObject> {
    return this.downgrade({ ...answer }, lookupsOf(read))
  }

  async downgrade(answer: JsonObject, lookups: Lookups): Promise<JsonObject> {
    let older = answer
    for (const { downgrade } of this.#changes.toReversed()) if (downgrade) older = await downgrade(older, lookups, this.#request)
    return older
  }

  /** An error of one of the calls, naming places as the caller wrote them. What is no such error stays as it is. */
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
