import { pino } from 'pino'
import { parseConfig } from '../../server/config.ts'
import { claimJobs, type AttemptFailure, type AttemptDeps, type HeldAttempt } from '../../server/domain/shared/jobs/attempts.ts'
import type { JobKind, NewJob } from '../../server/domain/shared/jobs/job.ts'
import { enqueue, JobQueue } from '../../server/domain/shared/jobs/queue.ts'
import { startJobRunner, type JobRunner } from '../../server/jobs/job_runner.ts'
import { maskText } from '../../server/kernel/masking.ts'
import type { Database, Transaction } from '../../server/store/database.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { sql } from '../../server/store/sql.ts'
import { makeDatabase, type TestDatabase } from './databases.ts'
import { TestClock } from './server.ts'

/** A kind of job that does nothing and succeeds, except for what `parts` define. */
export function kindOf(name: string, parts: Partial<JobKind>): JobKind {
  return { name, pauses: [1_000, 10_000], leaseMilliseconds: 60_000, atOnce: 2, run: async () => undefined, ...parts }
}

/** Leaves a mark in the transaction of a job, see `JobWorld.marks`. */
export function mark(db: Transaction, text: string): Promise<void> {
  return db.run(sql`insert into instance (name, value) values (${text}, 'done')`)
}

/** A job as read from the database. */
export interface SeenJob {
  readonly kind: string
  readonly state: string
  readonly attempts: number
  readonly error: string | null
}

/** A database with the jobs of a test, which run step by step or by runners that share the database. */
export class JobWorld {
  readonly clock = new TestClock()
  readonly #made: TestDatabase
  readonly #opened: Database[] = []
  readonly #runners: JobRunner[] = []

  private constructor(made: TestDatabase) {
    this.#made = made
  }

  static async make(): Promise<JobWorld> {
    const world = new JobWorld(await makeDatabase())
    await migrate(world.open())
    return world
  }

  get url(): string {
    return this.#made.url
  }

  /** Opens the database as another process would. */
  open(url = this.url): Database {
    const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
    this.#opened.push(database)
    return database
  }

  get database(): Database {
    return this.#opened[0] ?? this.open()
  }

  parts(database = this.database): AttemptDeps {
    return { database, now: () => this.clock.now(), scrub: maskText }
  }

  add(job: Omit<NewJob, 'dueTime' | 'payload'> & Partial<NewJob>, database = this.database): Promise<void> {
    return database.write((db) => enqueue(db, { payload: {}, dueTime: this.clock.now(), ...job }))
  }

  /** Claims due jobs, as a runner does in one poll. */
  claim(kinds: readonly JobKind[], after: string | null = null): Promise<HeldAttempt[]> {
    return claimJobs(
      this.parts(),
      kinds.map((kind) => ({ kind, room: kind.atOnce, after })),
    )
  }

  /**
   * Runs due jobs once.
   * @returns the failure of each attempt, or undefined if it succeeded
   */
  async step(...kinds: readonly JobKind[]): Promise<(AttemptFailure | undefined)[]> {
    const outcomes: (AttemptFailure | undefined)[] = []
    for (const attempt of await this.claim(kinds)) outcomes.push(await attempt.run())
    return outcomes
  }

  /** Starts a runner as another process would. @param onLog called with each line of its log */
  start(
    kinds: readonly JobKind[],
    onLog: (line: string) => void = () => undefined,
    url?: string,
  ): { runner: JobRunner; database: Database } {
    const queue = new JobQueue()
    const database = queue.watching(this.open(url))
    const runner = startJobRunner({ ...this.parts(database), queue, kinds, log: pino({}, { write: onLog }) })
    this.#runners.push(runner)
    return { runner, database }
  }

  async jobs(): Promise<SeenJob[]> {
    const rows = await this.database.read((db) =>
      db.all(
        { kind: 'text', state: 'text', attempts: 'integer', error: 'text?' },
        'select kind, state, attempts, error from jobs order by kind, due_time',
      ),
    )
    return rows.map(({ kind, state, attempts, error }) => ({ kind, state, attempts, error }))
  }

  /** The marks that jobs have left; they represent the changes of a real job. */
  async marks(): Promise<string[]> {
    const rows = await this.database.read((db) => db.all({ name: 'text' }, `select name from instance where value = 'done'`))
    return rows.map(({ name }) => name)
  }

  async end(): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()))
    await Promise.all(this.#opened.map((database) => database.close()))
    await this.#made.drop()
  }
}
