import type { Response } from 'express'
import { TransferRateMonitor, type MinimumRate, type Transfer } from './transfer_rate_monitor.ts'
import { EvictingPool, type PoolEntry, type PoolLimits, type EntryOwner } from './evicting_pool.ts'

type UnsentResponse = PoolEntry & Transfer

/**
 * Responses that clients have not fully read. They share a limit on their number and memory, and each must be read at a minimum rate. If a
 * response is evicted or read too slowly, its connection is closed, so that the client cannot mistake the part it has for a complete
 * response.
 */
export class UnsentResponses {
  readonly #pool: EvictingPool<UnsentResponse>
  readonly #monitor: TransferRateMonitor

  constructor(limits: PoolLimits, minimum: MinimumRate) {
    this.#pool = new EvictingPool(limits)
    this.#monitor = new TransferRateMonitor(minimum)
  }

  get size(): number {
    return this.#pool.size
  }

  /** @param bytesHeld the size of the part of the response that stays in memory until the client has read it */
  add(response: Response, reader: EntryOwner, bytesHeld: number): void {
    const result = this.#monitorRate(response, reader, bytesHeld)
    response.once('close', () => this.#pool.remove(result))
    this.#pool.add(result)
  }

  /** Adds an event stream. Streams must be read at the minimum rate, but do not count towards the limits. */
  addStream(response: Response, reader: EntryOwner): void {
    this.#monitorRate(response, reader, 0)
  }

  #monitorRate(response: Response, reader: EntryOwner, bytesHeld: number): UnsentResponse {
    let before: number | undefined
    const bytesMoved = (): number => {
      const { socket } = response
      if (!socket) return 0
      before ??= socket.bytesWritten - response.writableLength
      return socket.bytesWritten - before
    }
    const evict = (): void => {
      this.#pool.remove(result)
      this.#monitor.remove(result)
      response.req.socket.destroy()
    }
    const result: UnsentResponse = {
      ...reader,
      bytesHeld,
      waitedMs: 0,
      // Without a socket, an earlier response on the connection must be sent first. With nothing to write, the client waits for the
      // service.
      isWaiting: () => response.socket !== null && response.writableLength > 0,
      bytesMoved,
      evict,
      onTooSlow: evict,
    }
    bytesMoved()
    this.#monitor.add(result)
    response.once('close', () => this.#monitor.remove(result))
    return result
  }
}
