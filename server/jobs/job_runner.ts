import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import {
  claimJobs,
  enqueueRecurring,
  type AttemptFailure,
  type AttemptDeps,
  type Demand,
  type HeldAttempt,
  type JobKind,
  type JobQueue,
} from '../domain/shared/index.ts'
import { randomFraction } from '../kernel/random.ts'

export interface JobRunner {
  /** How many jobs of each kind this process is running. */
  running(): ReadonlyMap<string, number>
  /**
   * Runs the jobs that are due now, and those that they add.
   * @returns once no job is due or running
   */
  drain(): Promise<void>
  /** Aborts running jobs, waits for them to end, and leaves unfinished ones to other processes. */
  stop(): Promise<void>
}

interface RunnerDeps extends AttemptDeps {
  readonly queue: JobQueue
  readonly kinds: readonly JobKind[]
  readonly log: Logger
  /** Runs an attempt. @param name identifies the job; it is the same in every run of the service */
  readonly runBackground?: (<T>(name: string, work: () => T) => T) | undefined
}

const POLL_INTERVAL_MS = 300
/** The minimum time between two claims, however often the runner is woken: jobs that arrive close together are claimed together. */
const GAP_MS = 10
/** Delay after a failure that is not a job's own, such as an unreachable database. */
const RETRY_DELAY_MS = 5_000

/** Runs jobs of all kinds until it is stopped. All processes that use the same database share the jobs. */
export function startJobRunner(deps: RunnerDeps): JobRunner {
  const runner = new Runner(deps)
  const done = runner.run()
  return {
    running: () => runner.running(),
    drain: () => runner.drain(),
    async stop() {
      runner.abort()
      await done
    },
  }
}

class Runner {
  readonly #deps: RunnerDeps
  readonly #running = new Map<HeldAttempt, Promise<void>>()
  /** By kind: the workspace that was served last. */
  readonly #lastWorkspaces = new Map<string, string | null>()
  readonly #ending = new AbortController()
  #hasRecurring = false
  /** Resolves to whether the next round of claims has found any job. */
  #nextRound = Promise.withResolvers<boolean>()
  #isClaiming = false
  #lastClaimAt = -Infinity

  constructor(deps: RunnerDeps) {
    this.#deps = deps
  }

  abort(): void {
    this.#ending.abort()
    for (const attempt of this.#running.keys()) attempt.abort('stopping')
    this.#deps.queue.wake()
  }

  async run(): Promise<void> {
    const { queue, log } = this.#deps
    for (let wait = POLL_INTERVAL_MS; await this.#wait(wait);) {
      try {
        await this.#sleep(this.#lastClaimAt + GAP_MS - performance.now())
        queue.rest()
        if (!this.#hasRecurring) await this.#addRecurring()
        await this.#claimUntilDone()
        wait = POLL_INTERVAL_MS
      } catch (error) {
        log.warn({ err: error }, 'claiming due jobs failed; the next attempt follows')
        // Do not react to wake-ups here: the next claim would probably fail too.
        await this.#sleep(RETRY_DELAY_MS)
        wait = 0
      }
    }
    this.#nextRound.resolve(false)
    await Promise.all(this.#running.values())
  }

  async #claimUntilDone(): Promise<void> {
    this.#isClaiming = true
    let hasFound = false
    while (!this.#ending.signal.aborted && (await this.#claim())) hasFound = true
    this.#isClaiming = false
    this.#lastClaimAt = performance.now()
    this.#nextRound.resolve(hasFound)
    this.#nextRound = Promise.withResolvers()
  }

  async drain(): Promise<void> {
    // The current round may miss jobs that have become due since it began.
    if (this.#isClaiming) await this.#nextRound.promise
    for (let isBusy = true; isBusy && !this.#ending.signal.aborted;) {
      const { promise } = this.#nextRound
      this.#deps.queue.wake()
      const hasFound = await promise
      isBusy = hasFound || this.#running.size > 0
      await Promise.all(this.#running.values())
    }
  }

  /** Claims due jobs and starts them. @returns whether any were found, so that there may be more */
  async #claim(): Promise<boolean> {
    const now = this.#deps.now()
    for (const attempt of this.#running.keys()) attempt.abortIfOverdue(now)
    const attempts = await claimJobs(this.#deps, this.#demands())
    for (const attempt of attempts) {
      this.#lastWorkspaces.set(attempt.kind.name, attempt.job.workspaceId)
      this.#running.set(attempt, this.#run(attempt))
    }
    return attempts.length > 0
  }

  running(): Map<string, number> {
    const counts = new Map(this.#deps.kinds.map(({ name }) => [name, 0]))
    for (const { kind } of this.#running.keys()) counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1)
    return counts
  }

  #demands(): Demand[] {
    const running = this.running()
    return this.#deps.kinds
      .map((kind) => ({
        kind,
        room: kind.atOnce - (running.get(kind.name) ?? 0),
        after: this.#lastWorkspaces.get(kind.name) ?? null,
      }))
      .filter(({ room }) => room > 0)
  }

  async #run(attempt: HeldAttempt): Promise<void> {
    const { log, queue, runBackground = (_name, work) => work() } = this.#deps
    const about = { kind: attempt.kind.name, job: attempt.job.id, attempt: attempt.job.attempts }
    if (this.#ending.signal.aborted) attempt.abort('stopping')
    try {
      const failure = await runBackground(`job ${attempt.job.id}`, () => attempt.run())
      if (failure) log[levelOf(failure)]({ err: failure.error, ...about }, `a job failed: ${failure.fate}`)
    } catch (error) {
      log.warn({ err: error, ...about }, 'the outcome of a job could not be stored; the job will run again')
    } finally {
      this.#running.delete(attempt)
      // A slot is free for another job.
      queue.wake()
    }
  }

  /** Adds the job of each recurring kind, with a random delay, unless it exists. */
  async #addRecurring(): Promise<void> {
    const { kinds, database, now } = this.#deps
    await database.write(async (db) => {
      for (const { name, every } of kinds) {
        if (every !== undefined) await enqueueRecurring(db, name, now() + Math.round(every * (0.5 + randomFraction())))
      }
    })
    this.#hasRecurring = true
  }

  /** Waits for this time, or until the runner is woken. @returns false if the runner is stopping */
  async #wait(milliseconds: number): Promise<boolean> {
    if (this.#ending.signal.aborted) return false
    const { queue } = this.#deps
    const timer = setTimeout(() => queue.wake(), milliseconds).unref()
    await queue.woken
    clearTimeout(timer)
    return !this.#ending.signal.aborted
  }

  async #sleep(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return
    await pause(milliseconds, undefined, { signal: this.#ending.signal, ref: false }).catch(() => undefined)
  }
}

function levelOf({ fate }: AttemptFailure): 'error' | 'warn' {
  return fate === 'dead' ? 'error' : 'warn'
}
