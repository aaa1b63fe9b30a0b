import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { claimJobs, type AttemptFailure, type AttemptParts, type Demand, type HeldAttempt } from '../domain/jobs/attempts.ts'
import type { JobKind } from '../domain/jobs/job.ts'
import { enqueueRecurring, type JobQueue } from '../domain/jobs/queue.ts'

export interface JobRunner {
  /** How many jobs of each kind this process carries out. */
  running(): ReadonlyMap<string, number>
  /**
   * Carries out what is due now, and what comes of it.
   * @returns when nothing is due and nothing runs
   */
  settled(): Promise<void>
  /** Aborts what runs, waits for it, and leaves what is not finished to other processes. */
  stop(): Promise<void>
}

interface RunnerParts extends AttemptParts {
  readonly queue: JobQueue
  readonly kinds: readonly JobKind[]
  readonly log: Logger
}

const INTERVAL_MS = 300
/** From one look to the next, however often it is woken: what comes close together is taken together. */
const GAP_MS = 10
/** Delay after a failure that is not a job's own, such as an unreachable database. */
const PATIENCE_MS = 5_000

/** Runs the jobs of all kinds while the process lives. All processes on a database share them. */
export function startJobRunner(parts: RunnerParts): JobRunner {
  const runner = new Runner(parts)
  const done = runner.run()
  return {
    running: () => runner.running(),
    settled: () => runner.settled(),
    async stop() {
      runner.abort()
      await done
    },
  }
}

class Runner {
  readonly #parts: RunnerParts
  readonly #running = new Map<HeldAttempt, Promise<void>>()
  /** By kind: the workspace that had the last turn. */
  readonly #turns = new Map<string, string | null>()
  readonly #ending = new AbortController()
  #hasRecurring = false
  /** Resolves to whether the next look has found anything. */
  #nextLook = Promise.withResolvers<boolean>()
  #isLooking = false
  #lookedAt = -Infinity

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  abort(): void {
    this.#ending.abort()
    for (const attempt of this.#running.keys()) attempt.abort('stopping')
    this.#parts.queue.wake()
  }

  async run(): Promise<void> {
    const { queue, log } = this.#parts
    for (let wait = INTERVAL_MS; await this.#waited(wait);) {
      try {
        await this.#slept(this.#lookedAt + GAP_MS - performance.now())
        queue.rest()
        if (!this.#hasRecurring) await this.#addRecurring()
        await this.#lookUntilDone()
        wait = INTERVAL_MS
      } catch (error) {
        log.warn({ err: error }, 'looking for jobs failed')
        // Whoever wakes it now would make it fail again.
        await this.#slept(PATIENCE_MS)
        wait = 0
      }
    }
    this.#nextLook.resolve(false)
    await Promise.all(this.#running.values())
  }

  async #lookUntilDone(): Promise<void> {
    this.#isLooking = true
    let hasFound = false
    while (!this.#ending.signal.aborted && (await this.#look())) hasFound = true
    this.#isLooking = false
    this.#lookedAt = performance.now()
    this.#nextLook.resolve(hasFound)
    this.#nextLook = Promise.withResolvers()
  }

  async settled(): Promise<void> {
    // It may have passed already what has become due since.
    if (this.#isLooking) await this.#nextLook.promise
    for (let isBusy = true; isBusy && !this.#ending.signal.aborted;) {
      const { promise } = this.#nextLook
      this.#parts.queue.wake()
      const hasFound = await promise
      isBusy = hasFound || this.#running.size > 0
      await Promise.all(this.#running.values())
    }
  }

  /** @returns whether there may be more */
  async #look(): Promise<boolean> {
    const now = this.#parts.now()
    for (const attempt of this.#running.keys()) attempt.abortIfOverdue(now)
    const attempts = await claimJobs(this.#parts, this.#demands())
    for (const attempt of attempts) {
      this.#turns.set(attempt.kind.name, attempt.job.workspaceId)
      this.#running.set(attempt, this.#carryOut(attempt))
    }
    return attempts.length > 0
  }

  running(): Map<string, number> {
    const counts = new Map(this.#parts.kinds.map(({ name }) => [name, 0]))
    for (const { kind } of this.#running.keys()) counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1)
    return counts
  }

  #demands(): Demand[] {
    const running = this.running()
    return this.#parts.kinds
      .map((kind) => ({
        kind,
        room: kind.atOnce - (running.get(kind.name) ?? 0),
        after: this.#turns.get(kind.name) ?? null,
      }))
      .filter(({ room }) => room > 0)
  }

  async #carryOut(attempt: HeldAttempt): Promise<void> {
    const { log, queue } = this.#parts
    const about = { kind: attempt.kind.name, job: attempt.job.id, attempt: attempt.job.attempts }
    if (this.#ending.signal.aborted) attempt.abort('stopping')
    try {
      const failure = await attempt.run()
      if (failure) log[levelOf(failure)]({ err: failure.error, ...about }, `a job failed: ${failure.fate}`)
    } catch (error) {
      log.warn({ err: error, ...about }, 'the outcome of a job could not be kept; it is begun again')
    } finally {
      this.#running.delete(attempt)
      // There is room for the next one.
      queue.wake()
    }
  }

  /** There is one job of each recurring kind, which the first process adds; it begins at an irregular time. */
  async #addRecurring(): Promise<void> {
    const { kinds, database, now } = this.#parts
    await database.write(async (db) => {
      for (const { name, every } of kinds) {
        if (every !== undefined) await enqueueRecurring(db, name, now() + Math.round(every * (0.5 + Math.random())))
      }
    })
    this.#hasRecurring = true
  }

  /** @returns false when the runner is to end */
  async #waited(milliseconds: number): Promise<boolean> {
    if (this.#ending.signal.aborted) return false
    const { queue } = this.#parts
    const timer = setTimeout(() => queue.wake(), milliseconds).unref()
    await queue.woken
    clearTimeout(timer)
    return !this.#ending.signal.aborted
  }

  async #slept(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return
    await pause(milliseconds, undefined, { signal: this.#ending.signal, ref: false }).catch(() => undefined)
  }
}

function levelOf({ fate }: AttemptFailure): 'error' | 'warn' {
  return fate === 'dead' ? 'error' : 'warn'
}
