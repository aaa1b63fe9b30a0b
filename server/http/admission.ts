import type { Response } from './incoming.ts'
import { ServiceError } from '../kernel/errors.ts'
import { serviceUnavailable } from '../kernel/unavailable.ts'

/** `leaving`: nobody new comes, because others serve them; those who are here already are served. */
type State = 'starting' | 'serving' | 'leaving' | 'stopping'

export interface AdmissionLimits {
  readonly requestsInFlightMax: number
  /** What a caller is told to wait when there is too much to do. */
  readonly overloadRetrySeconds: number
}

/** What strangers may take of the requests in flight. */
const PART_OF_UNKNOWN = 0.25

/** Step 0 of the chain: lets a request in, or says that the service starts, stops or has too much to do. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #inFlight = new Set<Response>()
  readonly #unknown = new Set<Response>()
  #state: State = 'starting'
  #onIdle: (() => void) | undefined

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  get isServing(): boolean {
    return this.#state === 'serving'
  }

  /** Requests that were let in and have no full answer yet. */
  get requestsInFlight(): number {
    return this.#inFlight.size
  }

  open(): void {
    this.#state = 'serving'
  }

  /**
   * Lets a request in until its answer is closed.
   * @throws ServiceError `service_unavailable` before the service is ready and once it stops, `service_overload` under too much load
   */
  enter(response: Response): void {
    if (this.#state === 'starting') throw serviceUnavailable('The service is starting. Try again in a moment.')
    if (this.#state !== 'serving') response.setHeader('Connection', 'close')
    if (this.#state === 'stopping') throw serviceUnavailable('The service is stopping. Try again in a moment.')
    if (this.#inFlight.size >= this.#limits.requestsInFlightMax) throw overload(this.#limits.overloadRetrySeconds)
    this.#inFlight.add(response)
    response.on('close', () => this.#leave(response))
  }

  /**
   * Notes that nobody will know who sent this request before its body has come. Bodies that never end could hold every place: such
   * requests get a part of them, so that callers with a token are served whatever strangers do.
   * @throws ServiceError `service_overload` when their part is taken
   */
  enterUnknown(response: Response): void {
    const unknownMax = Math.max(1, Math.floor(this.#limits.requestsInFlightMax * PART_OF_UNKNOWN))
    if (this.#unknown.size >= unknownMax) throw overload(this.#limits.overloadRetrySeconds)
    this.#unknown.add(response)
    response.once('close', () => this.#unknown.delete(response))
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
    for (const response of this.#inFlight) if (!response.headersSent) response.setHeader('Connection', 'close')
    if (this.#inFlight.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }

  #leave(response: Response): void {
    if (this.#inFlight.delete(response) && this.#inFlight.size === 0) this.#onIdle?.()
  }
}

function overload(seconds: number): ServiceError {
  return new ServiceError('service_overload', {
    message: 'The service has too much to do; retry after the time in Retry-After.',
    headers: { 'Retry-After': String(seconds) },
  })
}
