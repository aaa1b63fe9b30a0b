import { afterAll } from 'vitest'
import type { Clock } from '../../server/kernel/clock.ts'
import { startService, type AgentParts, type Service } from '../../server/service.ts'
import { Caller } from './caller.ts'
import { makePassingDatabase } from './databases.ts'
import { MORNING, startsWithStory, testConfig, TOKEN } from './story.ts'
import { holdSweeps } from './sweeps.ts'

export { TOKEN } from './story.ts'

/** A clock that tests turn. */
export class TestClock implements Clock {
  readonly #time = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(MORNING)
  readonly #ticks: boolean

  /** @param ticks whether time also passes by itself, a millisecond each time that somebody looks */
  constructor(ticks = false) {
    this.#ticks = ticks
  }

  get shared(): Clock['shared'] {
    return this.#time
  }

  now(): number {
    if (this.#ticks) this.advance(1)
    return this.#time[0] ?? MORNING
  }

  advance(milliseconds: number): void {
    this.#time[0] = (this.#time[0] ?? MORNING) + milliseconds
  }
}

/** A clock that no other thread knows: everything happens in that of the test. */
export class ClockOfOneThread extends TestClock {
  override get shared(): undefined {
    return undefined
  }
}

export interface TestServer {
  readonly url: string
  readonly service: Service
  readonly clock: TestClock
  /** The demo connection: every capability, the whole workspace. */
  readonly owner: Caller
  /** Somebody with another token, version, or none. */
  caller(token: string | undefined, version?: string): Caller
  stop(): Promise<void>
}

/**
 * A real server on a free port of the loopback. It has an empty database of its own, on the engine of this run, unless `settings`
 * name one. Nothing is swept but by the test: see `sweep`.
 * @param agentParts what makes the answers of agents, where it is not what the service itself has
 */
export async function startTestServer(
  settings: Readonly<Record<string, string>> = {},
  clock = new TestClock(),
  agentParts?: AgentParts,
): Promise<TestServer> {
  const content = startsWithStory(settings, clock.now()) ? 'story' : 'newest'
  const own = settings['DATABASE_URL'] === undefined ? await makePassingDatabase(content) : undefined
  const service = await startService(testConfig({ DATABASE_URL: own?.url, ...settings }), clock, {}, agentParts)
  await holdSweeps(service.database)
  const caller = (token: string | undefined, version?: string): Caller => new Caller(service.url, token, version)
  return { url: service.url, service, clock, owner: caller(TOKEN), caller, stop: () => service.stop().finally(own?.drop) }
}

/** A server for all tests of a file, which is stopped behind them: `const server = await serverOfFile()` at its head. */
export async function serverOfFile(...parts: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...parts)
  afterAll(() => server.stop())
  return server
}
