import { ServiceError } from '../kernel/errors.ts'
import type { Request } from 'express'
import { TransferRateMonitor, type MinimumRate, type Transfer } from './transfer_rate_monitor.ts'
import { EvictingPool, type PoolEntry, type PoolLimits, type EntryOwner } from './evicting_pool.ts'

/** Tells that more bytes of a body are held in memory. */
export type Grew = (bytes: number) => void

type Body = PoolEntry & Transfer

/** Bodies that have begun and not ended. They share a pool, and each has to come at a minimum rate. */
export class UnfinishedBodies {
  readonly #pool: EvictingPool<Body>
  readonly #monitor: TransferRateMonitor
  readonly #minimum: MinimumRate
  readonly #overload: () => ServiceError

  /** @param overload what those are told whose memory others need */
  constructor(limits: PoolLimits, minimum: MinimumRate, overload: () => ServiceError) {
    this.#pool = new EvictingPool(limits)
    this.#monitor = new TransferRateMonitor(minimum)
    this.#minimum = minimum
    this.#overload = overload
  }

  get size(): number {
    return this.#pool.size
  }

  /**
   * Waits for a body. Once it has been given up, reading goes on unheard until the answer, which says so, closes the connection.
   * @throws ServiceError `service_overload` when others need its memory, `invalid_request` when it comes too slowly; and what `read` throws
   */
  receive<T>(request: Request, sender: EntryOwner, read: (grew: Grew) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // What came while the request was looked at waits to be read.
      const bytesReadBefore = request.socket.bytesRead - request.readableLength
      const giveUp = (error: ServiceError): void => {
        this.#forget(body)
        reject(error)
      }
      const body: Body = {
        ...sender,
        bytesHeld: 0,
        waitedMs: 0,
        isWaiting: () => !request.isPaused(),
        bytesMoved: () => request.socket.bytesRead - bytesReadBefore,
        evict: () => giveUp(this.#overload()),
        tooSlow: () => giveUp(this.#tooSlow()),
      }
      this.#monitor.add(body)
      this.#pool.add(body)
      read((bytes) => this.#pool.grow(body, bytes))
        .finally(() => this.#forget(body))
        .then(resolve, reject)
    })
  }

  #forget(body: Body): void {
    this.#pool.remove(body)
    this.#monitor.remove(body)
  }

  #tooSlow(): ServiceError {
    const { graceSeconds, bytesPerSecondMin } = this.#minimum
    return new ServiceError('invalid_request', {
      message: `The body of this request did not arrive in time: it may take ${graceSeconds} seconds, and one more for each ${bytesPerSecondMin} bytes.`,
      headers: { Connection: 'close' },
    })
  }
}
