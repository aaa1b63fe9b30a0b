import type { Duplex } from 'node:stream'
import { parseConfig, type Config, type Environment } from '../config.ts'
import { startService, type Service } from '../service.ts'
import { createWorkspace } from './create_workspace.ts'
import { Faults } from './faults/faults.ts'
import { Journal } from './journal/journal.ts'
import { keepingAwake } from './keeping_awake.ts'
import { memoryFetch, type Fetch } from './memory_fetch.ts'
import { SeededIds } from './seeded_ids.ts'
import { SeedLoader } from './seed/load_seed.ts'
import { readSeed } from './seed/read_seed.ts'
import type { Seed, Seeded } from './seed/seed.ts'
import { Snapshots } from './snapshots.ts'
import { TestClock, type ClockState, type Duration } from './test_clock.ts'
import { testInterceptor } from './test_interceptor.ts'
import { testWorkspace, type TestWorkspace } from './test_workspace.ts'

export interface TestServerOptions {
  /** Where it listens on the loopback: 0, the default, takes a free port; `'none'` needs no port, only `fetch` reaches it. */
  readonly port?: number | 'none'
  /** The time at which its clock stands still. Left out, it has that of the machine until it is set. */
  readonly time?: string | number | Date
  /** Makes the ids of records and requests the same in each run. */
  readonly seed?: string
  /** Lets requests ask for faults of their own by a `Prefer` header, in the words of the mock. Not unless it is said. */
  readonly prefer?: boolean
  /** Settings of the service, by their names in OPERATIONS.md. Nothing is taken from the environment. */
  readonly settings?: Environment
}

/** A service of its own for tests, in this process and in memory. */
export interface TestServer extends AsyncDisposable {
  /** Where it listens, without a trailing slash; without a port, an address that only `fetch` knows. */
  readonly url: string
  /** Reaches this server alone, as HTTP but without a socket. To be handed to clients; it adds nothing to their requests. */
  readonly fetch: Fetch
  /** The workspace that the server starts with. */
  readonly workspace: TestWorkspace
  /** The token of a connection that may do everything in that workspace. */
  readonly token: string
  readonly clock: ServerClock
  /** What goes wrong, by rules; nothing at first. */
  readonly faults: Faults
  /** What came, what was answered, and why not. */
  readonly journal: Journal
  /** All workspaces there are, that of the start first. */
  readonly workspaces: readonly TestWorkspace[]
  /** Names of the snapshots that can be restored. */
  readonly snapshots: readonly string[]
  /** Makes another, empty workspace, with an owner and a connection that may do everything. */
  createWorkspace(name?: string): Promise<TestWorkspace>
  /**
   * Fills a workspace, the server's own unless another is given, from a file in YAML or JSON, or from an object. All of it or nothing.
   * @throws SeedError naming the place of what the service refuses
   */
  seed(source: string | URL | Seed, workspace?: TestWorkspace): Promise<Seeded>
  /**
   * Keeps all workspaces, the time, and where the ids are under a name, once what is due has been done. Bytes of files are not copied:
   * those that the service removes later are not there when it is restored.
   */
  snapshot(name: string): Promise<void>
  /** Brings back what was kept under the name, as often as wanted. */
  restore(name: string): Promise<void>
  /** Waits for what goes on behind requests, as far as it is due: tasks, imports, events. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** What the service takes as now. Tokens, tasks, sessions, uploads and keys of repeats become due and expire by it. */
export interface ServerClock {
  now(): Date
  /** Whether it stands still. */
  readonly isStopped: boolean
  /** Stops the clock at a time, and does what is due by then. */
  set(time: string | number | Date): Promise<void>
  /** Moves the clock on, and does what becomes due by that. */
  advance(duration: Duration): Promise<void>
}

const SETTINGS: Environment = {
  HOST: '127.0.0.1',
  DATABASE_URL: 'sqlite::memory:',
  FILES_URL: 'file::temporary:',
  BOOTSTRAP_SAMPLE: 'false',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'silent',
}

/**
 * Starts a service with one empty workspace.
 * @throws ConfigError for settings that cannot be, RangeError for a time that is none
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { port = 0, settings = {}, time, seed, prefer = false } = options
  const clock = new TestClock()
  if (time !== undefined) clock.set(time)
  const ids = seed === undefined ? undefined : new SeededIds(seed)
  const withIds = <T>(work: () => T): T => (ids ? ids.run(work) : work())
  const [faults, journal] = [new Faults(prefer), new Journal(() => service.url)]
  const config = testConfig(port === 'none' ? 0 : port, settings)
  const service: Service = await withIds(() =>
    startService(config, clock, {}, undefined, {
      hasPort: port !== 'none',
      interceptor: testInterceptor({ faults, journal, withIds }),
    }),
  )
  return RunningTestServer.start({ service, clock, ids, faults, journal, withIds })
}

/** The settings of a test server. @throws ConfigError */
export function testConfig(port: number, settings: Environment): Config {
  return parseConfig({ ...SETTINGS, PORT: String(port), ...settings })
}

interface Parts {
  readonly service: Service
  readonly clock: TestClock
  readonly ids: SeededIds | undefined
  readonly faults: Faults
  readonly journal: Journal
  withIds<T>(work: () => T): T
}

/** What a snapshot keeps beside the database. */
interface KeptState {
  readonly clock: ClockState
  readonly begun: number | undefined
  readonly begunWorkspaces: number
  readonly workspaces: readonly TestWorkspace[]
}

class RunningTestServer implements TestServer {
  readonly url: string
  readonly fetch: Fetch
  readonly clock: ServerClock
  readonly faults: Faults
  readonly journal: Journal
  readonly #parts: Parts
  readonly #snapshots: Snapshots<KeptState>
  readonly #lines = new Set<Duplex>()
  /** How many workspaces have been begun: their owners' addresses are counted by it. */
  #begun = 0
  #workspaces: readonly TestWorkspace[] = []

  private constructor(parts: Parts) {
    this.#parts = parts
    this.url = parts.service.url
    this.fetch = memoryFetch((line) => this.#connect(line), new URL(this.url).origin)
    this.#snapshots = new Snapshots(parts.service.database)
    this.clock = this.#serverClock()
    this.faults = parts.faults
    this.journal = parts.journal
  }

  static async start(parts: Parts): Promise<TestServer> {
    const server = new RunningTestServer(parts)
    await server.createWorkspace()
    return server
  }

  get workspace(): TestWorkspace {
    const [first] = this.#workspaces
    if (!first) throw new Error('the server has not started')
    return first
  }

  get workspaces(): readonly TestWorkspace[] {
    return this.#workspaces
  }

  get snapshots(): readonly string[] {
    return this.#snapshots.names
  }

  get token(): string {
    return this.workspace.token
  }

  async createWorkspace(name?: string): Promise<TestWorkspace> {
    const { service, clock, withIds } = this.#parts
    const number = (this.#begun += 1)
    const named = name ?? `Test workspace ${number}`
    const created = await withIds(() => service.database.write((db) => createWorkspace(db, named, number, clock.now())))
    const workspace = testWorkspace(created, this.fetch)
    this.#workspaces = [...this.#workspaces, workspace]
    return workspace
  }

  async seed(source: string | URL | Seed, workspace = this.workspace): Promise<Seeded> {
    const seed = await readSeed(source)
    const { service, clock, withIds } = this.#parts
    const { database } = service
    const before = await database.copies?.save()
    try {
      return await withIds(() => new SeedLoader({ database, now: () => clock.now() }, workspace).load(seed))
    } catch (error) {
      if (before) await database.copies?.restore(before)
      throw error
    } finally {
      before?.close()
    }
  }

  async snapshot(name: string): Promise<void> {
    await this.settled()
    const { clock, ids } = this.#parts
    await this.#snapshots.take(name, {
      clock: clock.state,
      begun: ids?.begun,
      begunWorkspaces: this.#begun,
      workspaces: this.#workspaces,
    })
  }

  async restore(name: string): Promise<void> {
    const { clock, ids } = this.#parts
    const kept = await this.#snapshots.restore(name)
    clock.restore(kept.clock)
    if (ids && kept.begun !== undefined) ids.begun = kept.begun
    this.#begun = kept.begunWorkspaces
    this.#workspaces = kept.workspaces
  }

  settled(): Promise<void> {
    return keepingAwake(this.#parts.service.settled())
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.destroy()
    await keepingAwake(this.#parts.service.stop())
    this.#snapshots.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #connect(line: Duplex): void {
    this.#lines.add(line)
    line.once('close', () => this.#lines.delete(line))
    this.#parts.service.connect(line)
  }

  #serverClock(): ServerClock {
    const { clock } = this.#parts
    return {
      now: () => new Date(clock.now()),
      get isStopped() {
        return clock.state.stoppedAt !== undefined
      },
      set: (time) => {
        clock.set(time)
        return this.settled()
      },
      advance: (duration) => {
        clock.advance(duration)
        return this.settled()
      },
    }
  }
}
