import type { Connection, Database, Transaction } from '../../../store/database.ts'
import type { Actor } from '../actor.ts'
import type { Scope } from '../scope.ts'

/**
 * A kind of background job. Each job runs at least once, in the process that claims it first, and ends in the transaction that contains its
 * effect. Effects in the database therefore happen exactly once; effects elsewhere must be repeatable.
 */
export interface JobKind {
  /** Stored with each job, so the name of a released kind never changes. */
  readonly name: string
  /** The pauses in milliseconds before the second, third … attempt, each ± 10 %. After the last attempt fails, the job is dead. */
  readonly pauses: readonly number[]
  /** An attempt that takes longer counts as dead, unless it has extended its lease. */
  readonly leaseMilliseconds: number
  /** How many jobs of this kind a process runs concurrently. */
  readonly atOnce: number
  /**
   * For recurring jobs: milliseconds from the end of one run to the next, ± 10 %. The database always contains one job of such a
   * kind, which never dies: after its last attempt fails, it waits for the next run.
   */
  readonly every?: number
  /**
   * Runs the job. A job whose run returns has ended, even if it has not called `finish`. If its signal is aborted, another process runs it
   * again.
   * @throws FinalFailure if no attempt can succeed; after any other error the job is retried. A job whose process died twice in a row is
   * not run again
   */
  run(job: Job, attempt: Attempt): Promise<void>
  /** Cleans up after a job that has died, in the transaction that marks it dead. */
  died?(db: Transaction, job: Job, error: unknown): Promise<void>
}

export interface Job {
  readonly id: string
  readonly kind: string
  readonly workspaceId: string | null
  /** Tells the job apart from the other unfinished ones of its kind in its workspace. */
  readonly key: string | null
  readonly payload: unknown
  /** The number of this attempt, starting with 1. */
  readonly attempts: number
}

/** The outcome of a job: see `Attempt.settle`. */
export type JobFate = number | 'held' | undefined

export interface Attempt {
  /** Aborted if the process stops or another process has taken over the job. */
  readonly signal: AbortSignal
  /** Ends the job and runs `work` in one transaction. @returns false if the job was taken over, in which case nothing is done */
  finish(work?: (db: Transaction) => Promise<void>): Promise<boolean>
  /** Like `finish`, but the job is due again at the given time with its attempts reset: for work in steps. */
  continueAt(dueTime: number, work?: (db: Transaction) => Promise<void>): Promise<boolean>
  /**
   * Runs `work` in a transaction, provided that this process still holds the job.
   * @returns false if the job was taken over, in which case nothing is done
   */
  whileHeld(work: (db: Transaction) => Promise<void>): Promise<boolean>
  /**
   * Runs `work` in a transaction. Its result is the outcome of the job: the time at which it is due again, nothing if it has
   * ended, or `held` if it continues.
   * @returns false if the job was taken over, in which case nothing is done
   */
  settle(work: (db: Transaction) => Promise<JobFate>): Promise<boolean>
  /** Extends the lease to this many milliseconds from now. @returns false if the job was taken over */
  extend(milliseconds: number): Promise<boolean>
}

export interface NewJob {
  readonly kind: string
  readonly workspaceId?: string
  /**
   * While a job of the kind with this key waits in the workspace, no other is added. If that job is already running, it may have missed the
   * newest data, so it will run once more.
   */
  readonly key?: string
  readonly payload: object
  readonly dueTime: number
}

/** A failure that a retry cannot fix. */
export class FinalFailure extends Error {}

/** The last attempts never ended, and another attempt might end its process too. */
export class Interrupted extends FinalFailure {
  /** @param deaths how many attempts in a row ended with their process */
  constructor(deaths: number) {
    super(deaths > 1 ? `the process died during each of the last ${deaths} attempts` : 'each attempt was interrupted')
  }
}

/** The dependencies that all kinds of jobs share. */
export interface JobDeps {
  readonly database: Database
  now(): number
  /** Called with errors of the service in spite of which a job ends. */
  onFault(error: unknown): void
  /** A scope for an actor, such as one in a transaction of the job. */
  scopeOf<Db extends Connection>(actor: Actor, version: string, db: Db): Scope & { readonly db: Db }
}
