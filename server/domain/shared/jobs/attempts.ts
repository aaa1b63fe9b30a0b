import { ServiceError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { randomFraction } from '../../../kernel/random.ts'
import type { Database, Transaction } from '../../../store/database.ts'
import {
  markJobDead,
  claimJob,
  dropJob,
  extendJob,
  holdJob,
  listDueKinds,
  requeueJob,
  readyDueJobs,
  undoInterruption,
  type ClaimedJob,
} from '../../../store/jobs.ts'
import { FinalFailure, Interrupted, type Attempt, type Job, type JobFate, type JobKind } from './job.ts'
import { readJson } from '../../../store/stored/read_json.ts'

/**
 * How many jobs one query makes ready for each free slot, at least fifty of a kind. Later queries make more ready. The numbers are large
 * enough for fairness between workspaces, and small enough that a query costs about the same when a hundred thousand jobs are due at once.
 */
const READY_PER_PLACE = 5
const READY_AT_ONCE_MIN = 50
/** Pauses and intervals vary by this fraction, so that jobs that failed together are not retried together. */
const JITTER = 0.1
const ERROR_LENGTH_MAX = 1_000
/** If this many processes in a row have died during a job, the job has probably ended them, and would end the next one. */
const INTERRUPTIONS_MAX = 2

export interface AttemptDeps {
  readonly database: Database
  now(): number
  /** Removes secrets from a text. */
  scrub(text: string): string
}

/** A kind of jobs, with the number of free slots for it. */
export interface Demand {
  readonly kind: JobKind
  readonly room: number
  /** The workspace that was served last. */
  readonly after: string | null
}

/** Claims due jobs: of each kind as many as there are free slots, from the workspaces in round robin. */
export async function claimJobs(deps: AttemptDeps, demands: readonly Demand[]): Promise<HeldAttempt[]> {
  if (demands.length === 0) return []
  const { database } = deps
  const names = demands.map(({ kind }) => kind.name)
  const due = new Set(await database.read((db) => listDueKinds(db, names, deps.now())))
  const wanted = demands.filter(({ kind }) => due.has(kind.name))
  if (wanted.length === 0) return []
  return database.write(async (db) => {
    const attempts: HeldAttempt[] = []
    for (const demand of wanted) attempts.push(...(await claimOfKind(deps, db, demand)))
    return attempts
  })
}

async function claimOfKind(deps: AttemptDeps, db: Transaction, { kind, room, after }: Demand): Promise<HeldAttempt[]> {
  const now = deps.now()
  await readyDueJobs(db, kind.name, now, Math.max(READY_AT_ONCE_MIN, READY_PER_PLACE * room))
  const attempts: HeldAttempt[] = []
  for (let last = after; attempts.length < room;) {
    const job = await claimJob(db, kind.name, last, { claim: newId(), leaseEnd: now + kind.leaseMilliseconds })
    if (!job) break
    attempts.push(new HeldAttempt(deps, kind, job))
    last = job.workspaceId
  }
  return attempts
}

/** An attempt of this process at a job. */
export class HeldAttempt implements Attempt {
  readonly kind: JobKind
  readonly job: Job
  readonly #deps: AttemptDeps
  readonly #row: ClaimedJob
  readonly #aborting = new AbortController()
  #reason: 'stopping' | 'overdue' | 'lost' | undefined
  #leaseEnd: number
  #hasEnded = false

  constructor(deps: AttemptDeps, kind: JobKind, row: ClaimedJob) {
    this.kind = kind
    this.#deps = deps
    this.#row = row
    this.#leaseEnd = row.leaseEnd
    const { id, workspaceId, key, attempts } = row
    this.job = { id, kind: row.kind, workspaceId, key, payload: readJson('jobs.payload', id, row.payload), attempts }
  }

  get signal(): AbortSignal {
    return this.#aborting.signal
  }

  abort(reason: 'stopping' | 'overdue' | 'lost'): void {
    this.#reason ??= reason
    this.#aborting.abort()
  }

  abortIfOverdue(now: number): void {
    if (now >= this.#leaseEnd) this.abort('overdue')
  }

  async finish(work?: (db: Transaction) => Promise<void>): Promise<boolean> {
    return this.settle(async (db) => void (await work?.(db)))
  }

  async continueAt(dueTime: number, work?: (db: Transaction) => Promise<void>): Promise<boolean> {
    return this.settle(async (db) => {
      await work?.(db)
      return dueTime
    })
  }

  async settle(work: (db: Transaction) => Promise<JobFate>): Promise<boolean> {
    let fate: JobFate
    const isOurs = await this.#inHeld(async (db, againTime) => {
      fate = await work(db)
      if (fate !== 'held') await this.#putAway(db, fate, againTime)
    })
    if (isOurs && fate !== 'held') this.#hasEnded = true
    return isOurs
  }

  async whileHeld(work: (db: Transaction) => Promise<void>): Promise<boolean> {
    return this.#inHeld(work)
  }

  async extend(milliseconds: number): Promise<boolean> {
    const leaseEnd = this.#deps.now() + milliseconds
    const isOurs = await this.#deps.database.write((db) => extendJob(db, this.#row, leaseEnd))
    if (isOurs) this.#leaseEnd = leaseEnd
    else await this.#lose()
    return isOurs
  }

  /**
   * Runs the job and stores its outcome.
   * @returns the failure, if it failed
   * @throws Error if the outcome cannot be stored; the job is then started by another process when its lease expires
   */
  async run(): Promise<AttemptFailure | undefined> {
    try {
      const { attempts, interruptions } = this.#row
      if (attempts > this.#attemptsMax || interruptions >= INTERRUPTIONS_MAX) throw new Interrupted(interruptions)
      await this.kind.run(this.job, this)
    } catch (error) {
      if (this.#hasEnded) return { error, fate: 'ended' }
      return this.#reason === undefined ? this.#fail(error) : this.#giveUp()
    }
    if (this.#hasEnded) return undefined
    if (this.#reason !== undefined) return this.#giveUp()
    if (this.kind.every === undefined) await this.finish()
    else await this.continueAt(this.#after(this.kind.every))
    return undefined
  }

  get #attemptsMax(): number {
    return this.kind.pauses.length + 1
  }

  /** Ends an attempt that was aborted. If it was aborted because the process stops, it does not count. */
  async #giveUp(): Promise<AttemptFailure | undefined> {
    if (this.#reason === 'overdue') return this.#fail(new Error('the attempt exceeded its time limit'))
    const [dueTime, attempts] = [this.#deps.now(), this.job.attempts - 1]
    if (this.#reason === 'stopping')
      await this.#deps.database.write((db) =>
        requeueJob(db, this.#row, { dueTime, attempts, interruptions: this.#row.interruptions, error: null }),
      )
    return undefined
  }

  async #fail(error: unknown): Promise<AttemptFailure> {
    const text = this.#deps.scrub(textOf(error)).slice(0, ERROR_LENGTH_MAX)
    const pause = error instanceof FinalFailure ? undefined : this.kind.pauses[this.job.attempts - 1]
    if (pause === undefined && this.kind.every === undefined) return this.#die(error, text)
    const next =
      pause === undefined
        ? { dueTime: this.#after(this.kind.every ?? 0), attempts: 0, interruptions: 0, error: text }
        : { dueTime: this.#after(pause), attempts: this.job.attempts, interruptions: 0, error: text }
    await this.#deps.database.write((db) => requeueJob(db, this.#row, next))
    return { error, fate: 'postponed' }
  }

  async #die(error: unknown, text: string): Promise<AttemptFailure> {
    const isOurs = await this.#inHeld(async (db) => {
      await this.kind.died?.(db, this.job, error)
      await markJobDead(db, this.#row, text, this.#deps.now())
    })
    return { error, fate: isOurs ? 'dead' : 'ended' }
  }

  #after(milliseconds: number): number {
    return this.#deps.now() + Math.round(milliseconds * (1 - JITTER + 2 * JITTER * randomFraction()))
  }

  async #putAway(db: Transaction, dueTime: number | undefined, againTime: number | null): Promise<void> {
    if (dueTime === undefined && againTime === null) await dropJob(db, this.#row)
    else
      await requeueJob(db, this.#row, {
        dueTime: Math.min(dueTime ?? Infinity, againTime ?? Infinity),
        attempts: 0,
        interruptions: 0,
        error: null,
      })
  }

  /** Runs work in a transaction that locks the workspace and then the job. All code locks them in this order, which prevents deadlocks. */
  async #inHeld(work: (db: Transaction, againTime: number | null) => Promise<void>): Promise<boolean> {
    const isOurs = await this.#deps.database.write(async (db) => {
      const held = await holdJob(db, this.#row)
      if (held) await work(db, held.againTime)
      return held !== undefined
    }, this.#row.workspaceId ?? undefined)
    if (!isOurs) await this.#lose()
    return isOurs
  }

  /** Called if another process has taken over the job because it considered this process dead. */
  async #lose(): Promise<void> {
    const isFirst = this.#reason !== 'lost'
    this.#reason = 'lost'
    this.#aborting.abort()
    if (isFirst) await this.#deps.database.write((db) => undoInterruption(db, this.#row))
  }
}

export interface AttemptFailure {
  readonly error: unknown
  /**
   * The outcome of a failed attempt: the job is retried, it is dead, or it had already ended or been taken over by another
   * process.
   */
  readonly fate: 'postponed' | 'dead' | 'ended'
}

/** The failure for operators, without a stack trace. */
function textOf(error: unknown): string {
  if (error instanceof ServiceError) return `${error.code}: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}
