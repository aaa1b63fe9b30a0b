import { faultsIn, type Fault } from '../fault.ts'

/** The job queue: claiming, outcomes and settling. */
export const jobs: readonly Fault[] = [
  ...faultsIn(
    'domain/shared/jobs/attempts.ts',
    ['process/jobs.test.ts', 'process/job_runners.test.ts'],
    [
      [
        'a runner that was too slow writes beside the one that took over',
        '      if (held) await work(db, held.againTime)\n',
        '      await work(db, held?.againTime ?? null)\n',
      ],
      [
        'a job is given up one attempt too early',
        'this.kind.pauses[this.job.attempts - 1]',
        'this.kind.pauses[this.job.attempts]',
      ],
      [
        'a permanent failure is retried',
        'error instanceof FinalFailure ? undefined : this.kind.pauses',
        'error instanceof RangeError ? undefined : this.kind.pauses',
      ],
      [
        'a job that kills its process is tried for ever',
        '      if (attempts > this.#attemptsMax || interruptions >= INTERRUPTIONS_MAX) throw new Interrupted(interruptions)\n',
        '',
      ],
      [
        'what failed together comes back together',
        '(1 - JITTER + 2 * JITTER * randomFraction())',
        '(1 + 2 * JITTER * randomFraction())',
      ],
      [
        'secrets stand in the error of a job',
        'this.#deps.scrub(textOf(error)).slice(0, ERROR_LENGTH_MAX)',
        'textOf(error).slice(0, ERROR_LENGTH_MAX)',
      ],
      [
        'what was asked for while a job ran is forgotten',
        '    if (dueTime === undefined && againTime === null) await dropJob',
        '    if (dueTime === undefined) await dropJob',
      ],
      [
        'a job in steps waits for its own time, though it was asked for sooner',
        'Math.min(dueTime ?? Infinity, againTime ?? Infinity)',
        'dueTime ?? againTime ?? 0',
      ],
      ['a job that dies leaves nothing behind', '      await this.kind.died?.(db, this.job, error)\n', ''],
      ['a stop counts as an attempt', '[this.#deps.now(), this.job.attempts - 1]', '[this.#deps.now(), this.job.attempts]'],
      [
        'a recurring job dies',
        'if (pause === undefined && this.kind.every === undefined) return this.#die(error, text)',
        'if (pause === undefined) return this.#die(error, text)',
      ],
      ['one workspace has every turn', '    last = job.workspaceId\n', ''],
      ['an attempt goes on when its lease is over', "    if (now >= this.#leaseEnd) this.abort('overdue')\n", ''],
    ],
  ),
  ...faultsIn(
    'domain/shared/jobs/queue.ts',
    ['process/jobs.test.ts', 'process/job_runners.test.ts'],
    [
      ['a commit that adds a job wakes nobody', '        if (hasAdded) this.wake()\n', ''],
      ['every commit wakes the runner', '        if (hasAdded) this.wake()\n', '        this.wake()\n'],
      ['what was rolled back wakes the runner', '          adding.delete(db)\n          const done', '          const done'],
      ['a recurring job is added by each process', "key: 'only', payload", 'payload'],
    ],
  ),
  ...faultsIn(
    'store/jobs.ts',
    ['process/jobs.test.ts', 'process/job_runners.test.ts', 'cli/jobs.test.ts'],
    [
      [
        'a job that another process has put back is ended by the one before',
        'and claim = ${job.claim}${raw(db.forUpdate)}`',
        'and coalesce(claim, ${job.claim}) is not null${raw(db.forUpdate)}`',
      ],
      [
        'the latest of several wishes for another run counts',
        'case when jobs.again_time < excluded.due_time then jobs.again_time else excluded.due_time end',
        'case when jobs.again_time > excluded.due_time then jobs.again_time else excluded.due_time end',
      ],
      [
        'the first workspace is asked first each time',
        '(await nextReady(db, kind, after ?? NO_WORKSPACE)) ?? (await nextReady(db, kind, undefined))',
        '(await nextReady(db, kind, undefined)) ?? (await nextReady(db, kind, after ?? NO_WORKSPACE))',
      ],
      [
        'a dead job is tried again beside another one of its key',
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
        'failures stand in no log',
        '      if (failure) log[levelOf(failure)]({ err: failure.error, ...about }, `a job failed: ${failure.fate}`)\n',
        '',
      ],
      ['a kind takes more room than it has', 'room: kind.atOnce - (running.get(kind.name) ?? 0)', 'room: kind.atOnce'],
      [
        'a process that stops does not wait for its jobs',
        'resolve(false)\n    await Promise.all(this.#running.values())\n',
        'resolve(false)\n',
      ],
      ['jobs hear nothing of a stop', "    for (const attempt of this.#running.keys()) attempt.abort('stopping')\n", ''],
    ],
  ),
]
