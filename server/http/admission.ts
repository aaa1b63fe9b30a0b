import type { Response } from 'express'
import type { AdmissionLimits } from '../config.ts'
import { JSON_BODY_BYTES_MAX } from './json_body_limit.ts'
import { ServiceError } from '../kernel/errors.ts'
import { serviceUnavailable } from '../kernel/unavailable.ts'
import type { EntryOwner } from './evicting_pool.ts'
import { UnfinishedBodies, type Grew } from './unfinished_bodies.ts'
import { UnsentAnswers } from './unsent_answers.ts'

/** `leaving`: other processes take new requests; those that were let in are served. */
type State = 'starting' | 'serving' | 'leaving' | 'stopping'

/** The share of the requests in flight that unknown callers may have. */
const PART_OF_UNKNOWN = 0.25
/** Unfinished bodies, and unsent answers, for each request that may be worked on. */
const WAITING_PER_PLACE = 4
/** Some answers are this large, however few places there are. */
const ANSWER_BYTES_MIN = 16_777_216

/** One request that was let in. */
interface Visit {
  readonly admission: Admission
  /** Undefined while no one knows who sent it. */
  caller: string | undefined
  /** Whether it is worked on: while its body comes, and once its answer is made, others are. */
  hasPlace: boolean
  /** Whether its answer is made, or its caller gone. */
  isOver: boolean
}

/** Kept on the response itself, as its exchange is. */
const VISIT = Symbol('visit')
type Visiting = Response & { [VISIT]?: Visit }

/**
 * Step 0 of the chain: lets a request in, or says that the service starts, stops or has too much to do. It limits the requests that are
 * worked on at a time: not those whose sender is known and whose body is on its way, nor those whose answer is being sent.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #addressOf: (response: Response) => string
  readonly #bodies: UnfinishedBodies
  readonly #answers: UnsentAnswers
  readonly #inside = new Set<Visiting>()
  readonly #unknown = new Set<Response>()
  #placesTaken = 0
  #state: State = 'starting'
  #onIdle: (() => void) | undefined

  /** @param addressOf where a request comes from, as far as its sender cannot choose */
  constructor(limits: AdmissionLimits, addressOf: (response: Response) => string) {
    this.#limits = limits
    this.#addressOf = addressOf
    const { requestsInFlightMax: places } = limits
    const countMax = places * WAITING_PER_PLACE
    const bytesMax = places * JSON_BODY_BYTES_MAX
    this.#bodies = new UnfinishedBodies(
      { countMax, bytesMax },
      { graceSeconds: limits.bodyGraceSeconds, bytesPerSecondMin: limits.bodyBytesPerSecondMin },
      () => this.#overload({ Connection: 'close' }),
    )
    this.#answers = new UnsentAnswers(
      { countMax, bytesMax: Math.max(bytesMax, ANSWER_BYTES_MIN) },
      { graceSeconds: limits.answerGraceSeconds, bytesPerSecondMin: limits.answerBytesPerSecondMin },
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

  /** Answers, of the API and of pages, that have not been sent to their end. */
  get unsentAnswers(): number {
    return this.#answers.size
  }

  open(): void {
    this.#state = 'serving'
  }

  /**
   * Lets a request in until its answer is closed.
   * @throws ServiceError `service_unavailable` before the service is ready and once it stops, `service_overload` under too much load
   */
  enter(response: Visiting): void {
    const visit: Visit = { admission: this, caller: undefined, hasPlace: false, isOver: false }
    response[VISIT] = visit
    if (this.#state === 'starting') throw serviceUnavailable('The service is starting. Try again in a moment.')
    if (this.#state !== 'serving') response.setHeader('Connection', 'close')
    if (this.#state === 'stopping') throw serviceUnavailable('The service is stopping. Try again in a moment.')
    this.#takePlace(visit)
    this.#inside.add(response)
    response.on('close', () => this.#leave(response))
  }

  /**
   * Records that the sender of this request is known only by its body. Bodies that never end could hold every place: such requests get
   * a part of them, so that callers with a token are served whatever strangers do.
   * @throws ServiceError `service_overload` when their part is taken
   */
  enterUnknown(response: Response): void {
    const unknownMax = Math.max(1, Math.floor(this.#limits.requestsInFlightMax * PART_OF_UNKNOWN))
    if (this.#unknown.size >= unknownMax) throw this.#overload()
    this.#unknown.add(response)
  }

  /** Records who sent a request. */
  identify(response: Visiting, caller: string): void {
    const visit = response[VISIT]
    if (visit) visit.caller = caller
  }

  /** Waits for the body of a request that was let in, see `whileBodyComes`. */
  async receive<T>(response: Visiting, visit: Visit, read: (grew: Grew) => Promise<T>): Promise<T> {
    if (visit.caller !== undefined) this.#givePlaceBack(visit)
    const body = await this.#bodies.receive(response.req, this.#senderOf(response), read)
    if (!visit.isOver) this.#takePlace(visit)
    return body
  }

  /**
   * Records that an answer is made: from here on it holds no place. Unless it has gone out at once, it is watched until it has.
   * @param bytes what is held of it in memory until it is taken
   */
  handOver(response: Visiting, bytes: number): void {
    this.#finish(response)
    const isTaken = response.writableEnded && response.writableLength === 0
    if (!isTaken && !isGone(response)) this.#answers.add(response, this.#senderOf(response), bytes)
  }

  /** A stream stays open long after its request: from here on it no longer counts, but has to be read at a minimum rate. */
  release(response: Response): void {
    if (!isGone(response)) this.#answers.addStream(response, this.#senderOf(response))
    this.#leave(response)
  }

  /**
   * Refuses requests from now on, unless other processes take them: then it only keeps no connection open.
   * @returns when the last request that was let in has its answer
   */
  async stop(hasSiblings: boolean): Promise<void> {
    this.#state = hasSiblings ? 'leaving' : 'stopping'
    for (const response of this.#inside) if (!response.headersSent) response.setHeader('Connection', 'close')
    if (this.#inside.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }

  #leave(response: Visiting): void {
    if (!this.#inside.delete(response)) return
    this.#finish(response)
    if (this.#inside.size === 0) this.#onIdle?.()
  }

  #senderOf(response: Visiting): EntryOwner {
    const address = this.#addressOf(response)
    return { caller: response[VISIT]?.caller ?? address, address }
  }

  #finish(response: Visiting): void {
    this.#unknown.delete(response)
    const visit = response[VISIT]
    if (!visit) return
    visit.isOver = true
    this.#givePlaceBack(visit)
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
 * Waits until the body of a request has come. Meanwhile the request holds no place among those that are worked on, unless no one
 * knows who sent it.
 * @param read is told to say how many bytes it holds in memory
 * @throws ServiceError `service_overload` when others need the memory, or when all places are taken once the body is there;
 * `invalid_request` when it comes too slowly; and what `read` throws
 */
export function whileBodyComes<T>(response: Visiting, read: (grew: Grew) => Promise<T>): Promise<T> {
  const visit = response[VISIT]
  return visit === undefined || response.req.complete ? read(() => undefined) : visit.admission.receive(response, visit, read)
}

/** Tells that the text of an answer has been written, see `Admission.handOver`. */
export function noteWritten(response: Visiting, bytes: number): void {
  response[VISIT]?.admission.handOver(response, bytes)
}

function isGone(response: Response): boolean {
  return response.destroyed || response.req.socket.destroyed
}
