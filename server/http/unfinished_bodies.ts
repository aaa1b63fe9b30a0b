import { ServiceError } from '../kernel/errors.ts'
import type { Request } from './incoming.ts'

/** What bodies may take while they are on their way. */
export interface BodyLimits {
  /** Bodies of all callers together; one caller may have a quarter of them, one address half. */
  readonly countMax: number
  /** Bytes that are held of them. */
  readonly bytesMax: number
  /** How long a body may take before its pace counts. */
  readonly graceSeconds: number
  readonly bytesPerSecondMin: number
}

export interface Sender {
  /** Whoever is known by a token or as a client; else the address. */
  readonly caller: string
  readonly address: string
}

/** Tells that more bytes of a body are held in memory. */
export type Grew = (bytes: number) => void

interface Body extends Sender {
  readonly request: Request
  readonly bytesReadBefore: number
  readonly cut: (error: ServiceError) => void
  bytesHeld: number
  waitedMs: number
}

const PART_OF_CALLER = 0.25
const PART_OF_ADDRESS = 0.5
const LOOK_MS = 1_000

/**
 * Bodies that have begun and not ended. Each has to keep a pace. Nobody new is turned away: where there are too many, or too many
 * bytes of them, whoever has most loses one, so that callers whose bodies come at once are served whatever others leave unfinished.
 */
export class UnfinishedBodies {
  readonly #limits: BodyLimits
  /** In the order in which they came. */
  readonly #bodies = new Set<Body>()
  readonly #ofCaller = new Map<string, number>()
  readonly #ofAddress = new Map<string, number>()
  readonly #overload: () => ServiceError
  #bytesHeld = 0
  #watch: NodeJS.Timeout | undefined

  /** @param overload what those are told whose room others need */
  constructor(limits: BodyLimits, overload: () => ServiceError) {
    this.#limits = limits
    this.#overload = overload
  }

  get size(): number {
    return this.#bodies.size
  }

  /**
   * Waits for a body. Once it has been given up, reading goes on unheard until the answer, which says so, closes the connection.
   * @throws ServiceError `service_overload` when others need its room, `invalid_request` when it comes too slowly; and what `read` throws
   */
  receive<T>(request: Request, sender: Sender, read: (grew: Grew) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const body: Body = {
        ...sender,
        request,
        // What came while the request was looked at waits to be read.
        bytesReadBefore: request.socket.bytesRead - request.readableLength,
        cut: (error) => {
          this.#forget(body)
          reject(error)
        },
        bytesHeld: 0,
        waitedMs: 0,
      }
      this.#note(body)
      read((bytes) => this.#grow(body, bytes))
        .finally(() => this.#forget(body))
        .then(resolve, reject)
    })
  }

  #note(body: Body): void {
    this.#bodies.add(body)
    const { countMax } = this.#limits
    const ofCaller = count(this.#ofCaller, body.caller, 1)
    const ofAddress = count(this.#ofAddress, body.address, 1)
    if (ofCaller > atLeastOne(countMax * PART_OF_CALLER)) this.#cutHeaviest(one, ({ caller }) => caller === body.caller)
    else if (ofAddress > atLeastOne(countMax * PART_OF_ADDRESS)) this.#cutHeaviest(one, ({ address }) => address === body.address)
    else if (this.#bodies.size > countMax) this.#cutHeaviest(one)
    this.#watch ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  #grow(body: Body, bytes: number): void {
    if (!this.#bodies.has(body)) return
    body.bytesHeld += bytes
    this.#bytesHeld += bytes
    while (this.#bytesHeld > this.#limits.bytesMax) this.#cutHeaviest(({ bytesHeld }) => bytesHeld)
  }

  #forget(body: Body): void {
    if (!this.#bodies.delete(body)) return
    count(this.#ofCaller, body.caller, -1)
    count(this.#ofAddress, body.address, -1)
    this.#bytesHeld -= body.bytesHeld
    if (this.#bodies.size > 0) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  /** Gives up the heaviest body of the caller whose bodies weigh most; of several, the oldest. */
  #cutHeaviest(weigh: (body: Body) => number, counts: (body: Body) => boolean = () => true): void {
    const weights = new Map<string, number>()
    for (const body of this.#bodies) if (counts(body)) count(weights, body.caller, weigh(body))
    const [most = ''] = [...weights].reduce((left, right) => (right[1] > left[1] ? right : left))
    const owned = [...this.#bodies].filter((body) => body.caller === most && counts(body))
    owned.reduce((left, right) => (weigh(right) > weigh(left) ? right : left)).cut(this.#overload())
  }

  #look(): void {
    for (const body of this.#bodies) {
      // What waits for us does not wait for its sender.
      if (body.request.isPaused()) continue
      body.waitedMs += LOOK_MS
      if (this.#isTooSlow(body)) body.cut(this.#tooSlow())
    }
  }

  #isTooSlow({ request, bytesReadBefore, waitedMs }: Body): boolean {
    const { graceSeconds, bytesPerSecondMin } = this.#limits
    const bytes = request.socket.bytesRead - bytesReadBefore
    return waitedMs / 1000 > graceSeconds + bytes / bytesPerSecondMin
  }

  #tooSlow(): ServiceError {
    const { graceSeconds, bytesPerSecondMin } = this.#limits
    return new ServiceError('invalid_request', {
      message: `The body of this request did not arrive in time: it may take ${graceSeconds} seconds, and one more for each ${bytesPerSecondMin} bytes.`,
      headers: { Connection: 'close' },
    })
  }
}

function one(): number {
  return 1
}

function atLeastOne(number: number): number {
  return Math.max(1, Math.floor(number))
}

/** @returns the new number of a key */
function count(numbers: Map<string, number>, key: string, difference: number): number {
  const number = (numbers.get(key) ?? 0) + difference
  if (number === 0) numbers.delete(key)
  else numbers.set(key, number)
  return number
}
