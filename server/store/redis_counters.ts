import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { ServiceError } from '../kernel/errors.ts'
import { loadOptional } from '../kernel/optional_package.ts'
import { Counters, type Draw } from './counters.ts'

const CONNECT_TIMEOUT_MS = 2_000
const INSPECTION_TIMEOUT_MS = 5_000
const OPTIONS = { useRedisPackage: true, rejectIfRedisNotReady: true } as const

/** Counters in Redis, or in the memory of this process while Redis cannot be reached. Loads the client on first use. */
export async function redisCounters(url: string, onUnreachable: (error: Error) => void): Promise<Counters> {
  const { createClient } = await redisClient()
  // Without a connection, commands fail immediately instead of being queued.
  const client = createClient({ url, disableOfflineQueue: true })
  let isUnreachable = false
  client.on('ready', () => (isUnreachable = false))
  client.on('error', (error: Error) => {
    if (!isUnreachable) onUnreachable(error)
    isUnreachable = true
  })
  const settled = new Promise((resolve) => client.once('error', resolve).once('ready', resolve))
  client.connect().catch(() => undefined)
  await Promise.race([settled, pause(CONNECT_TIMEOUT_MS, undefined, { ref: false })])
  return new Counters(
    (options) =>
      new RateLimiterRedis({ ...OPTIONS, ...options, storeClient: client, insuranceLimiter: new RateLimiterMemory(options) }),
    async () => client.destroy(),
  )
}

const redisClient = (): Promise<typeof import('@redis/client')> =>
  loadOptional(() => import('@redis/client'), 'REDIS_URL', ['@redis/client'])

const INSPECTION_WINDOW = { quota: 1, seconds: 10 }

/**
 * Checks that Redis can count, by a key that expires after ten seconds.
 * @returns the version of Redis
 * @throws Error with the reason if Redis cannot be reached, does not respond, or cannot count
 */
export async function inspectRedis(url: string): Promise<string> {
  const { createClient } = await redisClient()
  const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy: false } })
  client.on('error', () => undefined)
  const inspect = async (): Promise<string> => {
    await client.connect()
    const counters = new Counters((options) => new RateLimiterRedis({ ...OPTIONS, ...options, storeClient: client }))
    const window: Draw = { ...INSPECTION_WINDOW, key: `inspection ${randomUUID()}` }
    const [first, second] = [await counters.draw([window]), await counters.draw([window])]
    if (!first.charged || second.charged) throw new Error('it may delete counts')
    return /^redis_version:(\S+)/m.exec(await client.info('server').catch(() => ''))?.[1] ?? 'of an unknown version'
  }
  const timeout = pause(INSPECTION_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`no response within ${INSPECTION_TIMEOUT_MS / 1000} seconds`)
  })
  try {
    return await Promise.race([inspect(), timeout])
  } catch (error) {
    throw error instanceof ServiceError ? error.cause : error
  } finally {
    timeout.catch(() => undefined)
    if (client.isOpen) client.destroy()
  }
}
