import type { Response } from 'express'
import type { AdmissionLimits } from '../config.ts'
import { JSON_BODY_BYTES_MAX } from '../kernel/json_body_limit.ts'
import { ServiceError } from '../kernel/errors.ts'
import { serviceUnavailable } from '../kernel/unavailable.ts'
import type { EntryOwner } from './evicting_pool.ts'
import { UnfinishedBodies, type OnBytes } from './unfinished_bodies.ts'
import { UnsentResponses } from './unsent_responses.ts'

/**
 * `draining`: other processes accept new requests. This process still serves requests that reach it, but closes their connections
 * afterwards.
 */
type State = 'starting' | 'serving' | 'draining' | 'stopping'

/** The share of the slots that requests from unauthenticated callers may take. */
const UNAUTHENTICATED_SHARE = 0.25
/** For each slot, the maximum number of unfinished bodies, and of unsent responses. */
const TRANSFERS_PER_SLOT = 4
/** The limit on held bytes is never lower, because a single response can be this large. */
const ANSWER_BYTES_MIN = 16_777_216

interface AdmittedRequest {
  readonly admission: Admission
  /** Undefined until the caller is authenticated. */
  caller: string | undefined
  /**
   * Whether the request occupies a slot. It does not while its body is awaited (if its sender is known), nor once its response is complete.
   */
  hasSlot: boolean
  /** Whether the response is complete, or the caller has disconnected. */
  isFinished: boolean
}

/** Stored as a property of the response, for the reason given in `contexts.ts`. */
const ADMITTED = Symbol('admitted')
type AdmittedResponse = Response & { [ADMITTED]?: AdmittedRequest }

/**
 * The first step of a request: admits it, or refuses it because the service is starting, stopping or overloaded. The number of requests
 * being processed is limited. Requests do not count while their response is being sent, or, if their sender is known, while their body is
 * arriving.
 */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #addressOf: (response: Response) => string
  readonly #bodies: UnfinishedBodies
  readonly #responses: UnsentResponses
  readonly #inFlight = new Set<AdmittedResponse>()
  readonly #unauthenticated = new Set<Response>()
  #slotsTaken = 0
  #state: State = 'starting'
  #onIdle: (() => void) | undefined

  /** @param addressOf returns the network address of the caller, without the parts that the caller can vary */
  constructor(limits: AdmissionLimits, addressOf: (response: Response) => string) {
    this.#limits = limits
    this.#addressOf = addressOf
    const { requestsInFlightMax: slots } = limits
    const countMax = slots * TRANSFERS_PER_SLOT
    const bytesMax = slots * JSON_BODY_BYTES_MAX
    this.#bodies = new UnfinishedBodies(
      { countMax, bytesMax },
      { graceSeconds: limits.bodyGraceSeconds, bytesPerSecondMin: limits.bodyBytesPerSecondMin },
      () => this.#overload({ Connection: 'close' }),
    )
    this.#responses = new UnsentResponses(
      { countMax, bytesMax: Math.max(bytesMax, ANSWER_BYTES_MIN) },
      { graceSeconds: limits.responseGraceSeconds, bytesPerSecondMin: limits.responseBytesPerSecondMin },
    )
  }

  get isServing(): boolean {
    return this.#state === 'serving'
  }

  /** Admitted requests whose response is not complete yet. */
  get requestsInFlight(): number {
    return this.#inFlight.size
  }

  /** Admitted requests whose body is still arriving. */
  get unfinishedBodies(): number {
    return this.#bodies.size
  }

  /** Responses, from the API or a page, that the client has not fully received. */
  get unsentResponses(): number {
    return this.#responses.size
  }

  open(): void {
    this.#state = 'serving'
  }

  /**
   * Admits a request; it is in flight until its response is closed.
   * @throws ServiceError `service_unavailable` while the service is starting or stopping, `service_overload` if no slot is free
   */
  admit(response: AdmittedResponse): void {
    const admitted: AdmittedRequest = { admission: this, caller: undefined, hasSlot: false, isFinished: false }
    response[ADMITTED] = admitted
    if (this.#state === 'starting') throw serviceUnavailable('The service is starting. Try again in a moment.')
    if (this.#state !== 'serving') response.setHeader('Connection', 'close')
    if (this.#state === 'stopping') throw serviceUnavailable('The service is stopping. Try again in a moment.')
    this.#acquireSlot(admitted)
    this.#inFlight.add(response)
    response.on('close', () => this.#end(response))
  }

  /**
   * Counts an admitted request that only its body can authenticate. Such requests keep their slot while the body arrives, and bodies that
   * never end could occupy every slot. They therefore get only a share of the slots; the rest is reserved for callers with a token.
   * @throws ServiceError `service_overload` if that share is used up
   */
  limitUnauthenticated(response: Response): void {
    const countMax = Math.max(1, Math.floor(this.#limits.requestsInFlightMax * UNAUTHENTICATED_SHARE))
    if (this.#unauthenticated.size >= countMax) throw this.#overload()
    this.#unauthenticated.add(response)
  }

  /** Records who sent a request. */
  identify(response: AdmittedResponse, caller: string): void {
    const admitted = response[ADMITTED]
    if (admitted) admitted.caller = caller
  }

  /** Waits for the body of an admitted request, see `awaitBody`. */
  async receive<T>(response: AdmittedResponse, admitted: AdmittedRequest, read: (onBytes: OnBytes) => Promise<T>): Promise<T> {
    if (admitted.caller !== undefined) this.#releaseSlot(admitted)
    const body = await this.#bodies.receive(response.req, this.#senderOf(response), read)
    if (!admitted.isFinished) this.#acquireSlot(admitted)
    return body
  }

  /**
   * Releases the slot of a request whose response is complete, and requires the client to read the response at a minimum rate.
   * @param bytes the size of the part of the response that stays in memory until the client has read it
   */
  trackResponse(response: AdmittedResponse, bytes: number): void {
    this.#finish(response)
    const isSent = response.writableEnded && response.writableLength === 0
    if (!isSent && !isDisconnected(response)) this.#responses.add(response, this.#senderOf(response), bytes)
  }

  /** Ends the request of an event stream, which stays open, and requires the client to read the stream at a minimum rate. */
  trackStream(response: Response): void {
    if (!isDisconnected(response)) this.#responses.addStream(response, this.#senderOf(response))
    this.#end(response)
  }

  /**
   * Refuses new requests. If other processes take them, requests that still arrive are served, but their connections are closed.
   * @returns once every admitted request has its response
   */
  async stop(hasSiblings: boolean): Promise<void> {
    this.#state = hasSiblings ? 'draining' : 'stopping'
    for (const response of this.#inFlight) if (!response.headersSent) response.setHeader('Connection', 'close')
    if (this.#inFlight.size > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }

  #end(response: AdmittedResponse): void {
    if (!this.#inFlight.delete(response)) return
    this.#finish(response)
    if (this.#inFlight.size === 0) this.#onIdle?.()
  }

  #senderOf(response: AdmittedResponse): EntryOwner {
    const address = this.#addressOf(response)
    return { caller: response[ADMITTED]?.caller ?? address, address }
  }

  #finish(response: AdmittedResponse): void {
    this.#unauthenticated.delete(response)
    const admitted = response[ADMITTED]
    if (!admitted) return
    admitted.isFinished = true
    this.#releaseSlot(admitted)
  }

  #acquireSlot(admitted: AdmittedRequest): void {
    if (admitted.hasSlot) return
    if (this.#slotsTaken >= this.#limits.requestsInFlightMax) throw this.#overload()
    this.#slotsTaken += 1
    admitted.hasSlot = true
  }

  #releaseSlot(admitted: AdmittedRequest): void {
    if (!admitted.hasSlot) return
    this.#slotsTaken -= 1
    admitted.hasSlot = false
  }

  #overload(headers: Readonly<Record<string, string>> = {}): ServiceError {
    return new ServiceError('service_overload', {
      message: 'The service is overloaded; retry after the time in Retry-After.',
      headers: { ...headers, 'Retry-After': String(this.#limits.overloadRetrySeconds) },
    })
  }
}

/**
 * Waits for the body of a request. Until it has arrived, the request occupies no slot, unless its sender is unknown.
 * @param read reads the body, and reports how many more bytes it holds in memory
 * @throws ServiceError `service_overload` if other bodies need the memory, or no slot is free when the body has arrived; `invalid_request`
 * if the body arrives too slowly; and whatever `read` throws
 */
export function awaitBody<T>(response: AdmittedResponse, read: (onBytes: OnBytes) => Promise<T>): Promise<T> {
  const admitted = response[ADMITTED]
  return admitted === undefined || response.req.complete
    ? read(() => undefined)
    : admitted.admission.receive(response, admitted, read)
}

/** Reports that a response has been written, see `Admission.trackResponse`; has no effect for a request that needed no admission. */
export function trackResponse(response: AdmittedResponse, bytes: number): void {
  response[ADMITTED]?.admission.trackResponse(response, bytes)
}

function isDisconnected(response: Response): boolean {
  return response.destroyed || response.req.socket.destroyed
}
