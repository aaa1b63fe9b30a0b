import { ServiceError } from '../kernel/errors.ts'
import type { Request } from 'express'
import { TransferRateMonitor, type MinimumRate, type Transfer } from './transfer_rate_monitor.ts'
import { EvictingPool, type PoolEntry, type PoolLimits, type EntryOwner } from './evicting_pool.ts'

/** Reports how many more bytes of a body are held in memory. */
export type OnBytes = (bytes: number) => void

type UnfinishedBody = PoolEntry & Transfer

/** Request bodies that are still arriving. They share a limit on their number and memory, and each must arrive at a minimum rate. */
export class UnfinishedBodies {
  readonly #pool: EvictingPool<UnfinishedBody>
  readonly #monitor: TransferRateMonitor
  readonly #minimum: MinimumRate
  readonly #overload: () => ServiceError

  /** @param overload returns the error for a body that is evicted */
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
   * Waits for a body. If it fails, `read` continues until the error has been sent and the connection closed, but its result is ignored.
   * @throws ServiceError `service_overload` if other bodies need the memory, `invalid_request` if the body arrives too slowly; and whatever
   * `read` throws
   */
  receive<T>(request: Request, sender: EntryOwner, read: (onBytes: OnBytes) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Part of the body may already be in the buffer.
      const bytesReadBefore = request.socket.bytesRead - request.readableLength
      const fail = (error: ServiceError): void => {
        this.#remove(body)
        reject(error)
      }
      const body: UnfinishedBody = {
        ...sender,
        bytesHeld: 0,
        waitedMs: 0,
        isWaiting: () => !request.isPaused(),
        bytesMoved: () => request.socket.bytesRead - bytesReadBefore,
        evict: () => fail(this.#overload()),
        onTooSlow: () => fail(this.#tooSlow()),
      }
      this.#monitor.add(body)
      this.#pool.add(body)
      read((bytes) => this.#pool.grow(body, bytes))
        .finally(() => this.#remove(body))
        .then(resolve, reject)
    })
  }

  #remove(body: UnfinishedBody): void {
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
