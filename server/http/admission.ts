import { JSON_BODY_BYTES_MAX, type Response } from './incoming.ts'
import { ServiceError } from '../kernel/errors.ts'
import { serviceUnavailable } from '../kernel/unavailable.ts'
import { UnfinishedBodies, type Grew } from './unfinished_bodies.ts'

/** `leaving`: nobody new comes, because others serve them; those who are here already are served. */
type State = 'starting' | 'serving' | 'leaving' | 'stopping'

export interface AdmissionLimits {
  readonly requestsInFlightMax: number
  /** What a caller is told to wait when there is too much to do. */
  readonly overloadRetrySeconds: number
  readonly bodyGraceSeconds: number
  readonly bodyBytesPerSecondMin: number
}

/** What strangers may take of the requests in flight. */
const PART_OF_UNKNOWN = 0.25
/** Bodies that may be on their way for each request that is worked on. */
const BODIES_PER_PLACE = 4

/** One request that was let in. */
interface Visit {
  readonly admission: Admission
  /** Undefined while nobody knows who sent it. */
  caller: string | undefined
  /** Whether it is worked on: while its body comes, others are. */
  hasPlace: boolean
}

/** Stands on the response itself, as its exchange does. */
const VISIT = Symbol('visit')
type Visiting = Response & { [VISIT]?: Visit }

/**
 * Step 0 of the chain: lets a request in, or says that the service starts, stops or has too much to do. So many requests are worked on
 * at a time; one that waits for its body is not among them, once its sender is known.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #addressOf: (response: Response) => string
  readonly #bodies: UnfinishedBodies
  readonly #inside = new Set<Visiting>()
  readonly #unknown = new Set<Response>()
  #placesTaken = 0
  #state: State = 'starting'
  #onIdle: (() => void) | undefined

  /** @param addressOf where a request comes from, as far as its sender cannot choose */
  constructor(limits: AdmissionLimits, addressOf: (response: Response) => string) {
    this.#limits = limits
    this.#addressOf = addressOf
    this.#bodies = new UnfinishedBodies(
      {
        countMax: limits.requestsInFlightMax * BODIES_PER_PLACE,
        bytesMax: limits.requestsInFlightMax * JSON_BODY_BYTES_MAX,
        graceSeconds: limits.bodyGraceSeconds,
        bytesPerSecondMin: limits.bodyBytesPerSecondMin,
      },
      () => this.#overload({ Connection: 'close' }),
    )
  }

  get isServing(): boolean {
    return this.#state === 'serving'
  }

  /** Requests that were let in and have no full answer yet. */
  get requestsInFlight(): number {
    return this.#inside.size
  }

  /** Those of them whose bodies are still on their way. */
  get unfinishedBodies(): number {
    return this.#bodies.size
  }

  open(): void {
    this.#state = 'serving'
  }

  /**
   * Lets a request in until its answer is closed.
   * @throws ServiceError `service_unavailable` before the service is ready and once it stops, `service_overload` under too much load
   */
  enter(response: Visiting): void {
    if (this.#state === 'starting') throw serviceUnavailable('The service is starting. Try again in a moment.')
    if (this.#state !== 'serving') response.setHeader('Connection', 'close')
    if (this.#state === 'stopping') throw serviceUnavailable('The service is stopping. Try again in a moment.')
    const visit: Visit = { admission: this, caller: undefined, hasPlace: false }
    this.#takePlace(visit)
    response[VISIT] = visit
    this.#inside.add(response)
    response.on('close', () => this.#leave(response))
  }

  /**
   * Notes that nobody will know who sent this request before its body has come. Bodies that never end could hold every place: such
   * requests get a part of them, so that callers with a token are served whatever strangers do.
   * @throws ServiceError `service_overload` when their part is taken
   */
  enterUnknown(response: Response): void {
    const unknownMax = Math.max(1, Math.floor(this.#limits.requestsInFlightMax * PART_OF_UNKNOWN))
    if (this.#unknown.size >= unknownMax) throw this.#overload()
    this.#unknown.add(response)
    response.once('close', () => this.#unknown.delete(response))
  }

  /** Notes who sent a request. */
  identify(response: Visiting, caller: string): void {
    const visit = response[VISIT]
    if (visit) visit.caller = caller
  }

  /** Waits for the body of a request that was let in, see `whileBodyComes`. */
  async receive<T>(response: Visiting, visit: Visit, read: (grew: Grew) => Promise<T>): Promise<T> {
    const address = this.#addressOf(response)
    if (visit.caller !== undefined) this.#givePlaceBack(visit)
    const body = await this.#bodies.receive(response.req, { caller: visit.caller ?? address, address }, read)
    if (this.#inside.has(response)) this.#takePlace(visit)
    return body
  }

  /** A stream stays open long after its request was dealt with: from here on it no longer counts. */
  release(response: Response): void {
    this.#leave(response)
  }

  /**
   * Refuses requests from now on, unless others serve in this one's place: then it only takes care that no connection is kept.
   * @returns when the last one that was let in has its answer
   */
  async stop(hasSiblings: boolean): Promise<void> {
    this.#state = hasSiblings ? 'leaving' : 'stopping'
    for (const response of this.#inside) if (!response.headersSent) response.setHeader('Connection', 'close')
    if (this.#inside.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }

  #leave(response: Visiting): void {
    if (!this.#inside.delete(response)) return
    if (response[VISIT]) this.#givePlaceBack(response[VISIT])
    if (this.#inside.size === 0) this.#onIdle?.()
  }

  #takePlace(visit: Visit): void {
    if (visit.hasPlace) return
    if (this.#placesTaken >= this.#limits.requestsInFlightMax) throw this.#overload()
    this.#placesTaken += 1
    visit.hasPlace = true
  }

  #givePlaceBack(visit: Visit): void {
    if (!visit.hasPlace) return
    this.#placesTaken -= 1
    visit.hasPlace = false
  }

  #overload(headers: Readonly<Record<string, string>> = {}): ServiceError {
    return new ServiceError('service_overload', {
      message: 'The service has too much to do; retry after the time in Retry-After.',
      headers: { ...headers, 'Retry-After': String(this.#limits.overloadRetrySeconds) },
    })
  }
}

/**
 * Waits until the body of a request has come. Meanwhile the request holds no place among those that are worked on, unless nobody
 * knows who sent it.
 * @param read is told to say how many bytes it holds in memory
 * @throws ServiceError `service_overload` when others need the room, or when all places are taken once the body is there;
 * `invalid_request` when it comes too slowly; and what `read` throws
 */
export function whileBodyComes<T>(response: Visiting, read: (grew: Grew) => Promise<T>): Promise<T> {
  const visit = response[VISIT]
  return visit === undefined || response.req.complete ? read(() => undefined) : visit.admission.receive(response, visit, read)
}
