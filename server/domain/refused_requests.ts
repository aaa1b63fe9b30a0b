import { maskText, maskValue } from '../kernel/masking.ts'
import type { Database } from '../store/database.ts'
import { addRefusedRequests, type RefusedRequestRow } from '../store/refused_requests.ts'

/** A request that was refused, as it was received. */
export interface FailedRequest {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly caller:
    | { readonly workspaceId: string; readonly connectionId?: string | undefined; readonly personId?: string | undefined }
    | undefined
  readonly status: number
  readonly code: string
  readonly message: string
  /** The invalid places of the request, such as `body.parent.page_id`. */
  readonly places: readonly string[]
  /** Its fields; undefined if it has none, or they could not be parsed. */
  readonly body: unknown
}

/** The number of refused requests that a database keeps. */
export const REFUSED_REQUESTS_MAX = 1_000
/** Refusals of this time are stored together, so that any number of them causes one write. */
const BATCH_MS = 2_000
const TEXT_LENGTH_MAX = 1_000
const PLACES_MAX = 20
/** Longer bodies are not kept: a flood of them would take too much memory, and too long to mask. */
const BODY_LENGTH_MAX = 16_384

/** Keeps the last refused requests of all processes in the database, outside of the requests. Up to two seconds of them are lost in a crash. */
export class RefusalLog {
  readonly #keepsBodies: boolean
  /** Oldest first. */
  #pending: RefusedRequestRow[] = []
  #database: Database | undefined
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> | undefined

  constructor({ keepsBodies }: { readonly keepsBodies: boolean }) {
    this.#keepsBodies = keepsBodies
  }

  /** Begins to store them. */
  begin(database: Database): void {
    this.#database = database
    if (this.#pending.length > 0) this.#storeLater()
  }

  add(refusal: FailedRequest): void {
    this.#pending.push(this.#rowOf(refusal))
    // Only the last ones would be kept.
    if (this.#pending.length >= 2 * REFUSED_REQUESTS_MAX) this.#pending = this.#pending.slice(-REFUSED_REQUESTS_MAX)
    this.#storeLater()
  }

  /** Stores what is pending now. Does nothing if the database does not answer. */
  async store(): Promise<void> {
    await this.#storing
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#database || this.#pending.length === 0) return
    const batch = this.#pending.slice(-REFUSED_REQUESTS_MAX)
    this.#pending = []
    this.#storing = this.#database
      .writeUnflushed((db) => addRefusedRequests(db, batch, REFUSED_REQUESTS_MAX))
      .catch(() => {
        this.#pending = [...batch, ...this.#pending].slice(-REFUSED_REQUESTS_MAX)
      })
      .finally(() => {
        this.#storing = undefined
      })
    await this.#storing
  }

  /** Stores what is pending, and nothing from then on. */
  async stop(): Promise<void> {
    await this.store()
    this.#database = undefined
    clearTimeout(this.#timer)
  }

  #storeLater(): void {
    if (!this.#database || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.store().then(() => {
        if (this.#pending.length > 0) this.#storeLater()
      })
    }, BATCH_MS).unref()
  }

  #rowOf({ requestId, method, path, operation, caller, status, code, message, places, body }: FailedRequest): RefusedRequestRow {
    return {
      ...{ request_id: requestId, time: Date.now(), status, code, method, operation },
      path: shortText(path),
      caller_workspace_id: caller?.workspaceId ?? null,
      connection_id: caller?.connectionId ?? null,
      member_id: caller?.personId ?? null,
      message: shortText(message),
      places: JSON.stringify(places.slice(0, PLACES_MAX).map(shortText)),
      body: this.#keepsBodies ? bodyText(body, operation) : null,
    }
  }
}

/** Without secrets and without U+0000, which not every engine can store. */
function shortText(text: string): string {
  return maskText(text.slice(0, TEXT_LENGTH_MAX)).replaceAll('\0', '\ufffd').toWellFormed()
}

function bodyText(body: unknown, operation: string): string | null {
  if (body === undefined) return null
  const text = JSON.stringify(body)
  return text.length > BODY_LENGTH_MAX ? null : JSON.stringify(maskValue(body, { operation }))
}
