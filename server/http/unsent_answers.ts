import type { Response } from 'express'
import { TransferRateMonitor, type MinimumRate, type Transfer } from './transfer_rate_monitor.ts'
import { EvictingPool, type PoolEntry, type PoolLimits, type EntryOwner } from './evicting_pool.ts'

type Answer = PoolEntry & Transfer

/**
 * Answers that are made and that their callers have not taken. They share a pool, and each has to be taken at a minimum rate. One that has
 * to go takes its connection with it: half an answer is none.
 */
export class UnsentAnswers {
  readonly #pool: EvictingPool<Answer>
  readonly #monitor: TransferRateMonitor

  constructor(limits: PoolLimits, minimum: MinimumRate) {
    this.#pool = new EvictingPool(limits)
    this.#monitor = new TransferRateMonitor(minimum)
  }

  get size(): number {
    return this.#pool.size
  }

  /** @param bytesHeld what is held of it in memory until it is taken */
  add(response: Response, taker: EntryOwner, bytesHeld: number): void {
    const answer = this.#watchOver(response, taker, bytesHeld)
    response.once('close', () => this.#pool.remove(answer))
    this.#pool.add(answer)
  }

  /** A stream may last as long as it is taken at that rate, however many there are. */
  addStream(response: Response, taker: EntryOwner): void {
    this.#watchOver(response, taker, 0)
  }

  #watchOver(response: Response, taker: EntryOwner, bytesHeld: number): Answer {
    let before: number | undefined
    const bytesMoved = (): number => {
      const { socket } = response
      if (!socket) return 0
      before ??= socket.bytesWritten - response.writableLength
      return socket.bytesWritten - before
    }
    const evict = (): void => {
      this.#pool.remove(answer)
      this.#monitor.remove(answer)
      response.req.socket.destroy()
    }
    const answer: Answer = {
      ...taker,
      bytesHeld,
      waitedMs: 0,
      // Behind another answer on its connection it waits for that one; with nothing to take, for us.
      isWaiting: () => response.socket !== null && response.writableLength > 0,
      bytesMoved,
      evict,
      tooSlow: evict,
    }
    bytesMoved()
    this.#monitor.add(answer)
    response.once('close', () => this.#monitor.remove(answer))
    return answer
  }
}
