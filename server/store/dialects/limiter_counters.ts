import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import limiters, { type IRateLimiterRedisOptions, type RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible'
import { ServiceError } from '../../kernel/errors.ts'
import { loadOptional } from '../../kernel/optional_package.ts'
import { serviceUnavailable } from '../../kernel/unavailable.ts'
import type { Counters, Draw, Drawn, BudgetWindow } from '../counters.ts'

/** The limiter itself never refuses: quotas differ from key to key, so they are compared here. */
const OPTIONS = { keyPrefix: 'budget', points: Number.MAX_SAFE_INTEGER, duration: 60 }
const CONNECT_PATIENCE_MS = 2_000
const INSPECTION_PATIENCE_MS = 5_000

/** Counters on a limiter of rate-limiter-flexible. */
class LimiterCounters implements Counters {
  readonly #limiter: RateLimiterAbstract
  readonly close: () => Promise<void>

  constructor(limiter: RateLimiterAbstract, close = async (): Promise<void> => undefined) {
    this.#limiter = limiter
    this.close = close
  }

  /** @throws ServiceError `service_unavailable` when the counter does not answer */
  async draw(draws: readonly Draw[]): Promise<Drawn> {
    try {
      return await this.#draw(draws)
    } catch (error) {
      throw serviceUnavailable('Requests cannot be counted at the moment. Nothing was changed.', error)
    }
  }

  async #draw(draws: readonly Draw[]): Promise<Drawn> {
    const before = await this.#look(draws)
    if (isSpent(draws, before, 0)) return { charged: false, windows: before }
    const charges = draws.map(({ key, seconds }) => this.#limiter.penalty(key, 1, { customDuration: seconds }))
    const after = (await Promise.all(charges)).map(toWindow)
    if (!isSpent(draws, after, 1)) return { charged: true, windows: after }
    // Another request used up a budget in the meantime: refund what was charged.
    await Promise.all(draws.map(({ key }) => this.#limiter.reward(key, 1)))
    return { charged: false, windows: await this.#look(draws) }
  }

  async #look(draws: readonly Draw[]): Promise<BudgetWindow[]> {
    const results = await Promise.all(draws.map(({ key }) => this.#limiter.get(key)))
    return draws.map(({ seconds }, index) => {
      const result = results[index]
      return result && result.msBeforeNext > 0 ? toWindow(result) : { used: 0, endsInMs: seconds * 1000 }
    })
  }
}

/** Whether a budget is used up. @param own how many of the counted requests are this one */
function isSpent(draws: readonly Draw[], windows: readonly BudgetWindow[], own: 0 | 1): boolean {
  return draws.some(({ quota }, index) => (windows[index]?.used ?? 0) - own >= quota)
}

function toWindow({ consumedPoints, msBeforeNext }: RateLimiterRes): BudgetWindow {
  return { used: consumedPoints, endsInMs: msBeforeNext }
}

/** Counters in Redis, or in the memory of this process while Redis cannot be reached. Loads the client on first use. */
export async function redisCounters(url: string, onTrouble: (error: Error) => void): Promise<Counters> {
  const { createClient } = await redisClient()
  // Without a connection, commands fail at once instead of being queued.
  const client = createClient({ url, disableOfflineQueue: true })
  let isTroubled = false
  client.on('ready', () => (isTroubled = false))
  client.on('error', (error: Error) => {
    if (!isTroubled) onTrouble(error)
    isTroubled = true
  })
  const settled = new Promise((resolve) => client.once('error', resolve).once('ready', resolve))
  client.connect().catch(() => undefined)
  await Promise.race([settled, pause(CONNECT_PATIENCE_MS, undefined, { ref: false })])
  const limiter = new limiters.RateLimiterRedis({
    ...redisOptions(client),
    insuranceLimiter: new limiters.RateLimiterMemory(OPTIONS),
  })
  return new LimiterCounters(limiter, async () => client.destroy())
}

const redisClient = (): Promise<typeof import('@redis/client')> =>
  loadOptional(() => import('@redis/client'), 'REDIS_URL', ['@redis/client'])

function redisOptions(storeClient: object): IRateLimiterRedisOptions {
  return { ...OPTIONS, storeClient, useRedisPackage: true, rejectIfRedisNotReady: true }
}

const INSPECTION_WINDOW = { quota: 1, seconds: 10 }

/**
 * Checks that Redis can count, with a key that expires after ten seconds.
 * @returns the version of Redis
 * @throws Error stating why, if Redis cannot be reached, does not answer, or cannot count
 */
export async function inspectRedis(url: string): Promise<string> {
  const { createClient } = await redisClient()
  const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy: false } })
  client.on('error', () => undefined)
  const inspect = async (): Promise<string> => {
    await client.connect()
    const counters = new LimiterCounters(new limiters.RateLimiterRedis(redisOptions(client)))
    const window: Draw = { ...INSPECTION_WINDOW, key: `inspection ${randomUUID()}` }
    const [first, second] = [await counters.draw([window]), await counters.draw([window])]
    if (!first.charged || second.charged) throw new Error('it does not keep its counts')
    return /^redis_version:(\S+)/m.exec(await client.info('server').catch(() => ''))?.[1] ?? 'of an unknown version'
  }
  const late = pause(INSPECTION_PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`no answer within ${INSPECTION_PATIENCE_MS / 1000} seconds`)
  })
  try {
    return await Promise.race([inspect(), late])
  } catch (error) {
    throw error instanceof ServiceError ? error.cause : error
  } finally {
    late.catch(() => undefined)
    if (client.isOpen) client.destroy()
  }
}
