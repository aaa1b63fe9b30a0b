import { afterAll } from 'vitest'
import type { Clock } from '../../server/kernel/clock.ts'
import { composeService, type AgentDeps, type Service } from '../../server/service.ts'
import type { TestOverrides } from '../../server/service/ingress.ts'
import { Caller } from './caller.ts'
import { makePassingDatabase } from './databases.ts'
import { MORNING, startsWithExampleWorkspace, testConfig, TOKEN } from './example_workspace.ts'
import { holdSweeps } from './sweeps.ts'

export { TOKEN } from './example_workspace.ts'

/** A clock that tests advance. */
export class TestClock implements Clock {
  #time = MORNING
  readonly #ticks: boolean

  /** @param ticks whether each call of `now` advances the clock by a millisecond */
  constructor(ticks = false) {
    this.#ticks = ticks
  }

  now(): number {
    if (this.#ticks) this.advance(1)
    return this.#time
  }

  advance(milliseconds: number): void {
    this.#time += milliseconds
  }
}

export interface TestServer {
  readonly url: string
  readonly service: Service
  readonly clock: TestClock
  /** A caller with the token of the demo connection, which has every capability and sees the whole workspace. */
  readonly owner: Caller
  /** A caller with another token or version, or without one. */
  caller(token: string | undefined, version?: string): Caller
  stop(): Promise<void>
}

/**
 * Starts a server on a free port of the loopback address. Without a database in `settings`, it gets an empty one on the engine of this run.
 * Expired data stays until the test calls `sweep`.
 * @param agentParts replaces the runtimes and tools of agents
 */
export async function startTestServer(
  settings: Readonly<Record<string, string>> = {},
  clock = new TestClock(),
  agentParts?: AgentDeps,
  testParts?: TestOverrides,
): Promise<TestServer> {
  const content = startsWithExampleWorkspace(settings, clock.now()) ? 'example' : 'newest'
  const own = settings['DATABASE_URL'] === undefined ? await makePassingDatabase(content) : undefined
  const service = await composeService(testConfig({ DATABASE_URL: own?.url, ...settings }), clock, {}, agentParts, testParts)
  await holdSweeps(service.database)
  const caller = (token: string | undefined, version?: string): Caller => new Caller(service.url, token, version)
  return { url: service.url, service, clock, owner: caller(TOKEN), caller, stop: () => service.stop().finally(own?.drop) }
}

/** Starts a server for all tests of a file, which is stopped after them: `const server = await serverOfFile()` at the top of the file. */
export async function serverOfFile(...parts: Parameters<typeof startTestServer>): Promise<TestServer> {
  const server = await startTestServer(...parts)
  afterAll(() => server.stop())
  return server
}
