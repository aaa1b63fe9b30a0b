import { RateLimiterRes } from 'rate-limiter-flexible'
import { serviceUnavailable } from '../kernel/unavailable.ts'

/** A charge of one request to a rate limit. */
export interface Draw {
  readonly key: string
  /** The maximum number of requests in one window. */
  readonly quota: number
  /** The length of a window, which begins with the first request after the previous window ended. */
  readonly seconds: number
}

/** The state of a rate limit: the requests counted in the current window, and the milliseconds until it ends. */
export interface RateLimitWindow {
  readonly used: number
  readonly endsInMs: number
}

export interface Drawn {
  /** False if one of the rate limits is exhausted. In that case, none of them was charged. */
  readonly charged: boolean
  /** The windows, in the order of the draws. */
  readonly windows: readonly RateLimitWindow[]
}

/** The options of a limiter of rate-limiter-flexible. */
export interface LimiterOptions {
  readonly keyPrefix: string
  readonly points: number
  readonly duration: number
  /** From this number on, the limiter refuses a key from the memory of the process, without asking the store. */
  readonly inMemoryBlockOnConsumed: number
}

/** The members of a limiter of rate-limiter-flexible that are used. Published types must not refer to that package. */
interface Limiter {
  consume(key: string): Promise<Count>
  reward(key: string): Promise<Count>
  get(key: string): Promise<Count | null>
}

interface Count {
  readonly consumedPoints: number
  readonly msBeforeNext: number
}

/** Counts requests in fixed windows, across all processes of a deployment, by limiters that share a store. */
export class Counters {
  readonly #makeLimiter: (options: LimiterOptions) => Limiter
  /** By quota and length of the window. All keys with the same quota and length share a limiter. */
  readonly #limiters = new Map<string, Limiter>()
  readonly close: () => Promise<void>

  constructor(makeLimiter: (options: LimiterOptions) => Limiter, close = async (): Promise<void> => undefined) {
    this.#makeLimiter = makeLimiter
    this.close = close
  }

  /**
   * Charges all of the rate limits, or none of them.
   * @throws ServiceError `service_unavailable` if the counts cannot be reached
   */
  async draw(draws: readonly Draw[]): Promise<Drawn> {
    try {
      return await this.#draw(draws)
    } catch (error) {
      throw serviceUnavailable('Rate limits cannot be counted at present. Nothing was changed; send the request again.', error)
    }
  }

  /**
   * The windows of rate limits, in the order of the draws. Charges none of them.
   * @throws ServiceError `service_unavailable` if the counts cannot be reached
   */
  async look(draws: readonly Draw[]): Promise<RateLimitWindow[]> {
    const windows: RateLimitWindow[] = []
    try {
      for (const draw of draws) windows.push(await this.#look(draw))
    } catch (error) {
      throw serviceUnavailable('Rate limits cannot be read at present. Send the request again.', error)
    }
    return windows
  }

  /** Charges one limit after another, so that none is charged after one that is exhausted. */
  async #draw(draws: readonly Draw[]): Promise<Drawn> {
    const windows: RateLimitWindow[] = []
    for (const draw of draws) {
      try {
        windows.push(windowOf(draw, await this.#limiterOf(draw).consume(draw.key)))
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        const spent = { used: draw.quota, endsInMs: refusal.msBeforeNext }
        const before = await Promise.all(draws.slice(0, windows.length).map((one) => this.#refund(one)))
        const after = await Promise.all(draws.slice(windows.length + 1).map((one) => this.#look(one)))
        return { charged: false, windows: [...before, spent, ...after] }
      }
    }
    return { charged: true, windows }
  }

  async #refund(draw: Draw): Promise<RateLimitWindow> {
    return windowOf(draw, await this.#limiterOf(draw).reward(draw.key))
  }

  async #look(draw: Draw): Promise<RateLimitWindow> {
    return windowOf(draw, await this.#limiterOf(draw).get(draw.key))
  }

  #limiterOf({ quota, seconds }: Draw): Limiter {
    const keyPrefix = `${quota}/${seconds}`
    const known = this.#limiters.get(keyPrefix)
    if (known) return known
    const options = { keyPrefix, points: quota, duration: seconds, inMemoryBlockOnConsumed: quota + 1 }
    const limiter = this.#makeLimiter(options)
    this.#limiters.set(keyPrefix, limiter)
    return limiter
  }
}

function windowOf({ quota, seconds }: Draw, found: Count | null): RateLimitWindow {
  if (found === null || found.msBeforeNext <= 0) return { used: 0, endsInMs: seconds * 1000 }
  return { used: Math.max(0, Math.min(found.consumedPoints, quota)), endsInMs: found.msBeforeNext }
}
