import { maskText, maskValue } from '../../kernel/masking.ts'
import type { Database } from '../../store/database.ts'
import { addRefusedRequests, callerOf, type RefusedRequestRow } from '../../store/refused_requests.ts'

export interface FailedRequest {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly operation: string
  /** Undefined if the caller is unknown. For a person who is signed in on a page, the workspace is not known. */
  readonly caller:
    | {
        readonly workspaceId?: string | undefined
        readonly connectionId?: string | undefined
        readonly personId?: string | undefined
      }
    | undefined
  readonly status: number
  readonly code: string
  readonly message: string
  /** The invalid paths of the request, such as `body.parent.page_id`. */
  readonly places: readonly string[]
  /** The fields of the body; undefined if there are none, or they could not be parsed. */
  readonly body: unknown
}

/** The number of refused requests that a database keeps. */
export const REFUSED_REQUESTS_MAX = 1_000
/** Refusals within this time are stored together, so that any number of them causes one write. */
const BATCH_MS = 2_000
const TEXT_LENGTH_MAX = 1_000
const PLACES_MAX = 10
const PLACE_LENGTH_MAX = 200
/** Longer bodies are not kept: many of them would take too much memory, and masking them too much time. */
const BODY_LENGTH_MAX = 16_384
/** The maximum number of bodies kept for refusals that are stored together: masking a body takes longer than refusing its request. */
const BODIES_MAX = 50
const BODIES_OF_CALLER_MAX = 20

/**
 * Stores the latest refused requests of each caller in the database, which all processes share, but not within the requests themselves. A
 * crash loses the refusals of at most two seconds.
 */
export class RefusalLog {
  readonly #keepsBodies: boolean
  /** Oldest first. */
  #pending: RefusedRequestRow[] = []
  /** The number of bodies that have been masked since refusals were last stored, in total and for each caller. */
  #bodies = 0
  readonly #bodiesOf = new Map<string | null, number>()
  #database: Database | undefined
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> | undefined

  constructor({ keepsBodies }: { readonly keepsBodies: boolean }) {
    this.#keepsBodies = keepsBodies
  }

  /** Begins to store refusals. */
  begin(database: Database): void {
    this.#database = database
    if (this.#pending.length > 0) this.#storeLater()
  }

  add(refusal: FailedRequest): void {
    this.#pending.push(this.#rowOf(refusal))
    if (this.#pending.length >= 2 * REFUSED_REQUESTS_MAX) this.#pending = keptOf(this.#pending)
    this.#storeLater()
  }

  /** Stores pending refusals now. Does nothing if the database does not respond. */
  async store(): Promise<void> {
    await this.#storing
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#database || this.#pending.length === 0) return
    const batch = keptOf(this.#pending)
    this.#pending = []
    this.#bodies = 0
    this.#bodiesOf.clear()
    this.#storing = this.#database
      .write((db) => addRefusedRequests(db, batch, REFUSED_REQUESTS_MAX))
      .catch(() => {
        this.#pending = keptOf([...batch, ...this.#pending])
      })
      .finally(() => {
        this.#storing = undefined
      })
    await this.#storing
  }

  /** Stores pending refusals, and none from then on. */
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
    const row = {
      ...{ request_id: requestId, time: Date.now(), status, code, method, operation },
      path: shortText(path, TEXT_LENGTH_MAX),
      caller_workspace_id: caller?.workspaceId ?? null,
      connection_id: caller?.connectionId ?? null,
      member_id: caller?.personId ?? null,
      message: shortText(message, TEXT_LENGTH_MAX),
      places: JSON.stringify(places.slice(0, PLACES_MAX).map((place) => shortText(place, PLACE_LENGTH_MAX))),
      body: null,
    }
    return { ...row, body: this.#bodyOf(body, operation, callerOf(row)) }
  }

  #bodyOf(body: unknown, operation: string, caller: string | null): string | null {
    const ofCaller = this.#bodiesOf.get(caller) ?? 0
    if (!this.#keepsBodies || body === undefined) return null
    if (this.#bodies >= BODIES_MAX || ofCaller >= BODIES_OF_CALLER_MAX) return null
    this.#bodies += 1
    this.#bodiesOf.set(caller, ofCaller + 1)
    return bodyText(body, operation)
  }
}

/** Of some refusals, those that the database would keep if there were no others, oldest first. */
function keptOf(rows: RefusedRequestRow[]): RefusedRequestRow[] {
  if (rows.length <= REFUSED_REQUESTS_MAX) return rows
  const places = new Map<string | null, number>()
  const placed = rows.toReversed().map((row) => {
    const place = (places.get(callerOf(row)) ?? 0) + 1
    places.set(callerOf(row), place)
    return { row, place }
  })
  const inOrder = placed.toSorted((one, other) => one.place - other.place)
  const kept = new Set(inOrder.slice(0, REFUSED_REQUESTS_MAX).map(({ row }) => row))
  return rows.filter((row) => kept.has(row))
}

/** A text without secrets, and without U+0000, which some engines cannot store. */
function shortText(text: string, lengthMax: number): string {
  return maskText(text.slice(0, lengthMax)).replaceAll('\0', '\ufffd').toWellFormed()
}

function bodyText(body: unknown, operation: string): string | null {
  if (JSON.stringify(body).length > BODY_LENGTH_MAX) return null
  const text = JSON.stringify(maskValue(body, { operation }))
  return text.length > BODY_LENGTH_MAX ? null : text
}
