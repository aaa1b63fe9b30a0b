import type { Database, Transaction } from '../../store/database.ts'
import type { Actor } from '../actor.ts'
import type { ImportTerms } from '../file_uploads/import_terms.ts'
import type { FileTerms } from '../file_uploads/terms.ts'
import type { FileVault } from '../file_uploads/vault.ts'
import type { NoteTools } from '../meeting_notes/media.ts'
import type { WriteScope } from '../scope.ts'
import type { Receivers } from '../webhooks/receivers.ts'

/**
 * One kind of work that goes on behind requests. Each job is carried out at least once, by whichever process takes it first, and
 * ends in the transaction that has its effect; so what happens in the database happens once, and what happens elsewhere must bear
 * being repeated.
 */
export interface JobKind {
  /** Stored with each job: a kind that has shipped keeps its name. */
  readonly name: string
  /** Milliseconds before the second, third … attempt, each ± 10 %. When the last attempt fails, the job is dead. */
  readonly pauses: readonly number[]
  /** An attempt that takes longer has died with its process, unless it has asked for more time. */
  readonly leaseMilliseconds: number
  /** How many jobs of this kind a process carries out side by side. */
  readonly atOnce: number
  /**
   * Milliseconds, ± 10 %, from the end of one run to the next: the database always holds one job of such a kind. It never dies; when
   * its last attempt has failed, it waits for its next time.
   */
  readonly every?: number
  /**
   * A job whose run returns has ended, even if it has not called `finish`; unless its signal is aborted: then another process begins it
   * again.
   * @throws FinalFailure when no attempt can succeed; anything else is tried again
   */
  run(job: Job, attempt: Attempt): Promise<void>
  /** What a job that died leaves behind, in the transaction that marks it dead. */
  died?(db: Transaction, job: Job, error: unknown): Promise<void>
}

export interface Job {
  readonly id: string
  readonly kind: string
  readonly workspaceId: string | null
  /** Names the job among the unfinished ones of its kind in its workspace. */
  readonly key: string | null
  /** What `enqueue` was given. */
  readonly payload: unknown
  /** Which attempt this is, from 1. */
  readonly attempts: number
}

/** What becomes of a job: see `Attempt.settle`. */
export type JobFate = number | 'held' | undefined

/** One attempt at a job. */
export interface Attempt {
  /** Aborted when the process stops or another one has taken the job over. */
  readonly signal: AbortSignal
  /** Ends the job and does `work` in one transaction. @returns false when the job is no longer ours and nothing was done */
  finish(work?: (db: Transaction) => Promise<void>): Promise<boolean>
  /** As `finish`, but the job is due again at a time, its attempts counted from the start: for work in steps. */
  continueAt(dueTime: number, work?: (db: Transaction) => Promise<void>): Promise<boolean>
  /** Does `work` in a transaction only while the job is ours. @returns false when it is not and nothing was done */
  whileHeld(work: (db: Transaction) => Promise<void>): Promise<boolean>
  /**
   * Does `work` in a transaction, which says what becomes of the job: a time at which it is due again, nothing when it is done, or
   * `held` when it goes on. @returns false when the job is no longer ours and nothing was done
   */
  settle(work: (db: Transaction) => Promise<JobFate>): Promise<boolean>
  /** Keeps the job for as many milliseconds from now. @returns false when it is no longer ours */
  extend(milliseconds: number): Promise<boolean>
}

export interface NewJob {
  readonly kind: string
  readonly workspaceId?: string
  /**
   * While a job of the kind with this key waits in its workspace, another one is not added. One that runs may have read too early what
   * the new one is about: it is due once more when it has finished.
   */
  readonly key?: string
  readonly payload: object
  readonly dueTime: number
}

/** A failure that another attempt cannot mend. */
export class FinalFailure extends Error {}

/** Each attempt that might have been the last one ended with its process. */
export class Interrupted extends Error {
  constructor() {
    super('each attempt was interrupted')
  }
}

/** What kinds of jobs are made from. */
export interface JobParts {
  readonly database: Database
  readonly vault: FileVault
  readonly receivers: Receivers
  readonly files: FileTerms & ImportTerms
  /** What makes meeting notes of recordings. */
  readonly meetingNotes: NoteTools
  now(): number
  /** Told of faults that are ours, where a job ends all the same. */
  onFault(error: unknown): void
  /** What domain functions need, for an actor and in a transaction of the job. */
  scopeOf(actor: Actor, version: string, db: Transaction): WriteScope
}
