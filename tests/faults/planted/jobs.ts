import { faultsIn, type Fault } from '../fault.ts'

/** The job queue: claiming, outcomes and settling. */
export const jobs: readonly Fault[] = [
  ...faultsIn(
    'domain/shared/jobs/attempts.ts',
    ['process/jobs.test.ts', 'process/job_runners.test.ts'],
    [
      [
        'a job runner commits after its lease was taken over',
        '      if (held) await work(db, held.againTime)\n',
        '      await work(db, held?.againTime ?? null)\n',
      ],
      ['a job fails one attempt too early', 'this.kind.pauses[this.job.attempts - 1]', 'this.kind.pauses[this.job.attempts]'],
      [
        'a permanent failure is retried',
        'error instanceof FinalFailure ? undefined : this.kind.pauses',
        'error instanceof RangeError ? undefined : this.kind.pauses',
      ],
      [
        'a job that ends its process is retried without end',
        '      if (attempts > this.#attemptsMax || interruptions >= INTERRUPTIONS_MAX) throw new Interrupted(interruptions)\n',
        '',
      ],
      [
        'failed jobs are retried at the same time',
        '(1 - JITTER + 2 * JITTER * randomFraction())',
        '(1 + 2 * JITTER * randomFraction())',
      ],
      [
        'errors of jobs contain secrets',
        'this.#deps.scrub(textOf(error)).slice(0, ERROR_LENGTH_MAX)',
        'textOf(error).slice(0, ERROR_LENGTH_MAX)',
      ],
      [
        'a request to run again during a run is lost',
        '    if (dueTime === undefined && againTime === null) await dropJob',
        '    if (dueTime === undefined) await dropJob',
      ],
      [
        'a job in steps ignores an earlier due time',
        'Math.min(dueTime ?? Infinity, againTime ?? Infinity)',
        'dueTime ?? againTime ?? 0',
      ],
      ['a dead job does not call `died`', '      await this.kind.died?.(db, this.job, error)\n', ''],
      ['a stop counts as an attempt', '[this.#deps.now(), this.job.attempts - 1]', '[this.#deps.now(), this.job.attempts]'],
      [
        'a recurring job dies',
        'if (pause === undefined && this.kind.every === undefined) return this.#die(error, text)',
        'if (pause === undefined) return this.#die(error, text)',
      ],
      ['one workspace uses all slots of a kind of job', '    last = job.workspaceId\n', ''],
      ['an attempt continues after its lease', "    if (now >= this.#leaseEnd) this.abort('overdue')\n", ''],
    ],
  ),
  ...faultsIn(
    'domain/shared/jobs/queue.ts',
    ['process/jobs.test.ts', 'process/job_runners.test.ts'],
    [
      ['a commit that adds a job does not wake the runner', '        if (hasAdded) this.wake()\n', ''],
      ['every commit wakes the runner', '        if (hasAdded) this.wake()\n', '        this.wake()\n'],
      ['a rollback wakes the runner', '          adding.delete(db)\n          const done', '          const done'],
      ['a recurring job is added by each process', "key: 'only', payload", 'payload'],
    ],
  ),
  ...faultsIn(
    'store/jobs.ts',
    ['process/jobs.test.ts', 'process/job_runners.test.ts', 'cli/jobs.test.ts'],
    [
      [
        'a process ends a job that another one has rescheduled',
        'and claim = ${job.claim}${raw(db.forUpdate)}`',
        'and coalesce(claim, ${job.claim}) is not null${raw(db.forUpdate)}`',
      ],
      [
        'the latest of several due times applies',
        'case when jobs.again_time < excluded.due_time then jobs.again_time else excluded.due_time end',
        'case when jobs.again_time > excluded.due_time then jobs.again_time else excluded.due_time end',
      ],
      [
        'claims always begin with the first workspace',
        '(await nextReady(db, kind, after ?? NO_WORKSPACE)) ?? (await nextReady(db, kind, undefined))',
        '(await nextReady(db, kind, undefined)) ?? (await nextReady(db, kind, after ?? NO_WORKSPACE))',
      ],
      [
        'a dead job is retried beside another one with its key',
        "and other.job_key = jobs.job_key and other.state <> 'dead')`",
        "and other.job_key = jobs.job_key and other.state = 'running')`",
      ],
    ],
  ),
  ...faultsIn(
    'jobs/job_runner.ts',
    ['process/jobs.test.ts', 'process/job_runners.test.ts'],
    [
      [
        'failures of jobs are not logged',
        '      if (failure) log[levelOf(failure)]({ err: failure.error, ...about }, `a job failed: ${failure.fate}`)\n',
        '',
      ],
      ['a kind of job uses more slots than it has', 'room: kind.atOnce - (running.get(kind.name) ?? 0)', 'room: kind.atOnce'],
      [
        'a process that stops does not wait for its jobs',
        'resolve(false)\n    await Promise.all(this.#running.values())\n',
        'resolve(false)\n',
      ],
      ['a stop does not abort jobs', "    for (const attempt of this.#running.keys()) attempt.abort('stopping')\n", ''],
    ],
  ),
]
