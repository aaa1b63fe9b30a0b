import type { Duplex } from 'node:stream'
import { parseConfig, type Config, type Environment } from '@workspace-service/server/config.ts'
import { composeService, type Service } from '@workspace-service/server/service.ts'
import { AgentScripts, type ScriptState } from './agents/agent_scripts.ts'
import { requireForm } from './agents/require_form.ts'
import { requireAgentKey, tokensLeft } from './agents/create_test_agent.ts'
import type { AgentTurn, ScriptedTurn } from './agents/script.ts'
import { createTestWorkspace } from './create_test_workspace.ts'
import { Faults } from '@workspace-service/server/faults/faults.ts'
import { Journal } from './journal/journal.ts'
import { keepingAwake } from '@workspace-service/server/http/keeping_awake.ts'
import { memoryFetch, type Fetch } from '@workspace-service/server/http/memory_fetch.ts'
import { SeededRandom } from './seeded_random.ts'
import { SeedLoader } from './seed/load_seed.ts'
import { readSeed } from './seed/read_seed.ts'
import type { Seed, SeedAgent, Seeded } from './seed/seed.ts'
import { Snapshots } from './snapshots.ts'
import { TestClock, type ClockState, type Duration } from './test_clock.ts'
import { testInterceptor } from './test_interceptor.ts'
import { testWorkspace, type TestWorkspace } from './test_workspace.ts'

export interface TestServerOptions {
  /** The port on the loopback address. By default, or with 0, a free one; with `'none'` no port is opened and only `fetch` works. */
  readonly port?: number | 'none'
  /** The time at which the server's clock is stopped. Without it, the clock shows the machine's time until it is set. */
  readonly time?: string | number | Date
  /** Makes ids, tokens and the keys of cursors and links the same in each run. */
  readonly seed?: string
  /** Whether requests may inject a fault by a `Prefer` header, in the syntax of the mock. False by default. */
  readonly prefer?: boolean
  /** Settings of the service, by their names in OPERATIONS.md. The environment is not read. */
  readonly settings?: Environment
}

/** A service for tests, in this process and in memory. */
export interface TestServer extends AsyncDisposable {
  /** The address of the server, without a trailing slash. Without a port, only `fetch` can use it. */
  readonly url: string
  /** A `fetch` that sends HTTP to this server alone, without a socket. It adds nothing to requests, so clients can use it. */
  readonly fetch: Fetch
  /** The workspace that the server starts with. */
  readonly workspace: TestWorkspace
  /** The token of a connection that may do everything in that workspace. */
  readonly token: string
  readonly clock: ServerClock
  /** Fault rules; none at first. */
  readonly faults: Faults
  /** The requests that the server has received, with their responses and the reasons for refusals. */
  readonly journal: Journal
  /** All workspaces, the initial one first. */
  readonly workspaces: readonly TestWorkspace[]
  /** The names of all snapshots. */
  readonly snapshots: readonly string[]
  /** Creates another, empty workspace, with an owner and a connection that may do everything. */
  createWorkspace(name?: string): Promise<TestWorkspace>
  /**
   * Fills a workspace, by default that of the server, from a YAML or JSON file or from an object. After an error, nothing is kept.
   * @throws SeedError with the path of the refused part
   */
  seed(source: string | URL | Seed, workspace?: TestWorkspace): Promise<Seeded>
  /** Creates an agent, as a seed does. @returns its id @throws SeedError with the path of the invalid part */
  createAgent(agent: SeedAgent, workspace?: TestWorkspace): Promise<string>
  /**
   * Scripts the next turns of an agent, after those that are scripted already. Other turns use the runtime of the settings.
   * @param agentId `service_ai` for the personal agent
   * @returns the number of remaining scripted turns
   * @throws UnknownAgent; ServiceError with the place, for turns in another form
   */
  scriptTurns(agentId: string, turns: readonly ScriptedTurn[], workspace?: TestWorkspace): Promise<number>
  /** The last thousand turns that agents have begun, scripted or not, oldest first. */
  readonly agentTurns: readonly AgentTurn[]
  /**
   * Saves all workspaces, the time and the state of the seed under a name, after running the background work that is due. The bytes of
   * files are not copied: files that the service removes later are missing after a restore.
   */
  snapshot(name: string): Promise<void>
  /** Restores a snapshot, which can be restored again. */
  restore(name: string): Promise<void>
  /** Waits for the background work that is due: tasks, imports, events. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The clock of the service. Tokens, tasks, sessions, uploads and idempotency keys become due and expire by it. */
export interface ServerClock {
  now(): Date
  /** Whether the clock is stopped. */
  readonly isStopped: boolean
  /** Stops the clock at a time, and waits for the work that is due by then. */
  set(time: string | number | Date): Promise<void>
  /** Moves the clock forward, and waits for the work that becomes due. */
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
 * @throws ConfigError for invalid settings, RangeError for an invalid time
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { port = 0, settings = {}, time, seed, prefer = false } = options
  const clock = new TestClock()
  if (time !== undefined) clock.set(time)
  const random = seed === undefined ? undefined : new SeededRandom(seed)
  const withSeed = <T>(work: () => T): T => (random ? random.run(work) : work())
  const [faults, journal] = [new Faults(prefer), new Journal(() => service.url)]
  const scripts = new AgentScripts(async (agent) => service.database.read((db) => tokensLeft(db, agent, clock.now())))
  const config = testConfig(port === 'none' ? 0 : port, settings)
  const service: Service = await withSeed(() =>
    composeService(config, clock, {}, undefined, {
      hasPort: port !== 'none',
      interceptor: testInterceptor({ faults, journal, random }),
      wrapRuntimes: (own) => scripts.over(own),
    }),
  )
  return RunningTestServer.start({ service, clock, random, faults, journal, scripts, withSeed })
}

/** The settings of a test server. @throws ConfigError */
export function testConfig(port: number, settings: Environment): Config {
  return parseConfig({ ...SETTINGS, PORT: String(port), ...settings })
}

interface ServerDeps {
  readonly service: Service
  readonly clock: TestClock
  readonly random: SeededRandom | undefined
  readonly faults: Faults
  readonly journal: Journal
  readonly scripts: AgentScripts
  withSeed<T>(work: () => T): T
}

/** The parts of a snapshot in addition to the database. */
interface KeptState {
  readonly clock: ClockState
  readonly begun: ReadonlyMap<string, number> | undefined
  readonly begunWorkspaces: number
  readonly scripts: ScriptState
  readonly workspaces: readonly TestWorkspace[]
}

class RunningTestServer implements TestServer {
  readonly url: string
  readonly fetch: Fetch
  readonly clock: ServerClock
  readonly faults: Faults
  readonly journal: Journal
  readonly #deps: ServerDeps
  readonly #snapshots: Snapshots<KeptState>
  readonly #lines = new Set<Duplex>()
  /** How many workspaces have been created: the owners' addresses contain this number. */
  #begun = 0
  #workspaces: readonly TestWorkspace[] = []

  private constructor(deps: ServerDeps) {
    this.#deps = deps
    this.url = deps.service.url
    this.fetch = memoryFetch((line) => this.#connect(line), new URL(this.url).origin)
    this.#snapshots = new Snapshots(deps.service.database)
    this.clock = this.#serverClock()
    this.faults = deps.faults
    this.journal = deps.journal
  }

  static async start(deps: ServerDeps): Promise<TestServer> {
    const server = new RunningTestServer(deps)
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
    const { service, clock, withSeed } = this.#deps
    const number = (this.#begun += 1)
    const named = name ?? `Test workspace ${number}`
    const created = await withSeed(() => service.database.write((db) => createTestWorkspace(db, named, number, clock.now())))
    const workspace = testWorkspace(created, this.fetch)
    this.#workspaces = [...this.#workspaces, workspace]
    return workspace
  }

  async seed(source: string | URL | Seed, workspace = this.workspace): Promise<Seeded> {
    const seed = await readSeed(source)
    const { service, clock, withSeed } = this.#deps
    const { database } = service
    const before = await database.copies?.save()
    try {
      const seeded = await withSeed(() => new SeedLoader({ database, now: () => clock.now() }, workspace).load(seed))
      for (const { name, turns } of seed.agents ?? [])
        if (turns !== undefined) await this.scriptTurns(seeded.agents[name] ?? '', turns, workspace)
      return seeded
    } catch (error) {
      if (before) await database.copies?.restore(before)
      throw error
    } finally {
      before?.close()
    }
  }

  async createAgent(agent: SeedAgent, workspace = this.workspace): Promise<string> {
    const { agents } = await this.seed({ agents: [agent] }, workspace)
    return agents[agent.name] ?? ''
  }

  async scriptTurns(agentId: string, turns: readonly ScriptedTurn[], { id: workspaceId } = this.workspace): Promise<number> {
    const { service, scripts } = this.#deps
    requireForm('/v1/agents/{agent_id}/scripts', { turns })
    const agent = await service.database.read((db) => requireAgentKey(db, workspaceId, agentId))
    scripts.add(agent, turns)
    return scripts.waiting(agent).length
  }

  get agentTurns(): readonly AgentTurn[] {
    return this.#deps.scripts.turns
  }

  async snapshot(name: string): Promise<void> {
    await this.settled()
    const { clock, random, scripts } = this.#deps
    await this.#snapshots.take(name, {
      clock: clock.state,
      begun: random?.begun,
      begunWorkspaces: this.#begun,
      scripts: scripts.state,
      workspaces: this.#workspaces,
    })
  }

  async restore(name: string): Promise<void> {
    const { clock, random, scripts } = this.#deps
    const kept = await this.#snapshots.restore(name)
    clock.restore(kept.clock)
    if (random && kept.begun) random.restore(kept.begun)
    scripts.restore(kept.scripts)
    this.#begun = kept.begunWorkspaces
    this.#workspaces = kept.workspaces
  }

  settled(): Promise<void> {
    return keepingAwake(this.#deps.service.drainJobs())
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.destroy()
    await keepingAwake(this.#deps.service.stop())
    this.#snapshots.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #connect(line: Duplex): void {
    this.#lines.add(line)
    line.once('close', () => this.#lines.delete(line))
    this.#deps.service.connect(line)
  }

  #serverClock(): ServerClock {
    const { clock } = this.#deps
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
