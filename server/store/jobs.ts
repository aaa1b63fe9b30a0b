import type { Connection, Transaction } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { joinSql, raw, sql, type Sql } from './sql.ts'

/** The workspace id of jobs of the service itself. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000'

/** Added to the due times of held jobs, which `releaseJobs` sets back. Three thousand years later is still a valid stored time. */
export const HOLD_MS = 100_000_000_000_000

interface JobRef {
  readonly workspaceId: string | null
  readonly id: string
}

interface NewJobRow extends JobRef {
  readonly kind: string
  readonly key: string | null
  /** The payload as JSON. */
  readonly payload: string
  readonly dueTime: number
}

const NEW_JOB = {
  place_id: 'id',
  new_id: 'id',
  kind_name: 'text',
  new_key: 'text',
  content: 'text',
  first_time: 'integer',
} as const

/**
 * Adds jobs. If an unfinished job has the same key, none is added; if that job is running, it will run once more afterwards, at the
 * earliest of the requested times.
 */
export async function insertJobs(db: Transaction, jobs: readonly NewJobRow[]): Promise<void> {
  const rows = jobs.map(({ workspaceId, id, kind, key, payload, dueTime }) => ({
    ...{
      place_id: workspaceId ?? NO_WORKSPACE,
      new_id: id,
      kind_name: kind,
      new_key: key,
      content: payload,
      first_time: dueTime,
    },
  }))
  await db.run(
    sql`insert into jobs (workspace_id, id, kind, job_key, payload, state, due_time)
      select place_id, new_id, kind_name, new_key, content, 'waiting', first_time from ${db.records('new_jobs', NEW_JOB, rows)} where true
      on conflict (workspace_id, kind, job_key) where job_key is not null and state <> 'dead' do update
      set again_time = case when jobs.again_time < excluded.due_time then jobs.again_time else excluded.due_time end
      where jobs.state = 'running'`,
  )
}

/** Whether a job with this key is waiting, ready or running. */
export async function isJobUnfinished(db: Connection, workspaceId: string, kind: string, key: string): Promise<boolean> {
  const row = await db.get(
    {},
    sql`select 1 as waits from jobs where workspace_id = ${workspaceId} and kind = ${kind} and job_key = ${key}
      and state <> 'dead'`,
  )
  return row !== undefined
}

/** The given kinds that have a job to run. The cost does not depend on the number of jobs. */
export async function listDueKinds(db: Connection, kinds: readonly string[], now: number): Promise<string[]> {
  const rows = await db.all(
    { name: 'text' },
    sql`with ${tableOf(kinds)} select name from kinds
     where (select 1 from jobs where kind = name and state = 'ready' limit 1) is not null
       or (select 1 from jobs where kind = name and state in ('waiting', 'running') and due_time <= ${now} limit 1) is not null`,
  )
  return rows.map(({ name }) => name)
}

function tableOf(kinds: readonly string[]): Sql {
  const rows = kinds.map((kind) => sql`(cast(${kind} as text))`)
  return sql`kinds (name) as (values ${joinSql(rows, ', ')})`
}

/** Makes jobs ready that are due, or whose attempt has lost its lease. The latter counts as an interruption. */
export async function readyDueJobs(db: Transaction, kind: string, now: number, limit: number): Promise<void> {
  await db.run(
    sql`with due as materialized (
       select workspace_id, id from jobs where kind = ${kind} and state in ('waiting', 'running') and due_time <= ${now}
       order by due_time limit ${limit}${raw(db.forUpdateSkipLocked)})
     update jobs set state = 'ready', claim = null, interruptions = interruptions + case state when 'running' then 1 else 0 end
     from due where jobs.workspace_id = due.workspace_id and jobs.id = due.id`,
  )
}

const readyRow = rowOf({
  workspace_id: 'text',
  id: 'text',
  kind: 'text',
  job_key: 'text?',
  payload: 'text',
  attempts: 'integer',
  interruptions: 'integer',
})

export interface ClaimedJob extends Omit<NewJobRow, 'dueTime'> {
  /** The number of attempts, including this one. */
  readonly attempts: number
  /** The number of attempts in a row that have begun but never ended. */
  readonly interruptions: number
  /** Identifies this attempt. */
  readonly claim: string
  /** When the lease ends. From then on, the attempt counts as lost, and the job may run again. */
  readonly leaseEnd: number
}

/**
 * Claims the oldest ready job of the next workspace, so that workspaces take turns (round robin).
 * @param after the workspace of the previously claimed job
 */
export async function claimJob(
  db: Transaction,
  kind: string,
  after: string | null,
  { claim, leaseEnd }: Pick<ClaimedJob, 'claim' | 'leaseEnd'>,
): Promise<ClaimedJob | undefined> {
  const row = (await nextReady(db, kind, after ?? NO_WORKSPACE)) ?? (await nextReady(db, kind, undefined))
  if (!row) return undefined
  const attempts = row.attempts + 1
  await db.run(
    sql`update jobs set state = 'running', attempts = ${attempts}, claim = ${claim}, due_time = ${leaseEnd}
      where workspace_id = ${row.workspace_id} and id = ${row.id}`,
  )
  return {
    workspaceId: row.workspace_id === NO_WORKSPACE ? null : row.workspace_id,
    id: row.id,
    kind: row.kind,
    key: row.job_key,
    payload: row.payload,
    attempts,
    interruptions: row.interruptions,
    claim,
    leaseEnd,
  }
}

async function nextReady(db: Transaction, kind: string, after: string | undefined): Promise<RowOf<typeof readyRow> | undefined> {
  return db.get(
    readyRow,
    sql`select ${columnNames(readyRow)} from jobs where kind = ${kind} and state = 'ready'
      ${after === undefined ? sql`` : sql`and workspace_id > ${after}`}
      order by workspace_id, due_time limit 1${raw(db.forUpdateSkipLocked)}`,
  )
}

/** The claim with which a process holds a job. */
type HeldJob = JobRef & Pick<ClaimedJob, 'claim'>

/**
 * Locks a job until the transaction ends, if this attempt still holds it.
 * @returns undefined if it no longer does
 */
export async function holdJob(db: Transaction, job: HeldJob): Promise<{ readonly againTime: number | null } | undefined> {
  const row = await db.get(
    { again_time: 'integer?' },
    sql`select again_time from jobs where workspace_id = ${job.workspaceId ?? NO_WORKSPACE} and id = ${job.id}
      and claim = ${job.claim}${raw(db.forUpdate)}`,
  )
  return row && { againTime: row.again_time }
}

export async function dropJob(db: Transaction, job: JobRef): Promise<void> {
  await db.run(sql`delete from jobs where workspace_id = ${job.workspaceId ?? NO_WORKSPACE} and id = ${job.id}`)
}

/** Extends the lease of a held job. @returns whether the job was still held */
export async function extendJob(db: Transaction, job: HeldJob, leaseEnd: number): Promise<boolean> {
  const changed = await db.change(
    sql`update jobs set due_time = ${leaseEnd} where workspace_id = ${job.workspaceId ?? NO_WORKSPACE} and id = ${job.id}
      and claim = ${job.claim}`,
  )
  return changed === 1
}

/** Returns a held job to the queue. @returns whether it was still held */
export async function requeueJob(
  db: Transaction,
  job: HeldJob,
  outcome: Pick<ListedJob, 'dueTime' | 'attempts' | 'interruptions' | 'error'>,
): Promise<boolean> {
  const { dueTime, attempts, interruptions, error } = outcome
  const changed = await db.change(
    sql`update jobs set state = 'waiting', claim = null, again_time = null, due_time = ${dueTime}, attempts = ${attempts},
      interruptions = ${interruptions}, error = ${error} where workspace_id = ${job.workspaceId ?? NO_WORKSPACE} and id = ${job.id} and claim = ${job.claim}`,
  )
  return changed === 1
}

/** Takes back the count of an interruption, because the process that lost the job is alive. */
export async function undoInterruption(db: Transaction, job: JobRef): Promise<void> {
  await db.run(
    sql`update jobs set interruptions = interruptions - 1 where workspace_id = ${job.workspaceId ?? NO_WORKSPACE} and id = ${job.id}
      and interruptions > 0`,
  )
}

/** Marks a held job as dead, unless another process has claimed it since. */
export async function markJobDead(db: Transaction, job: HeldJob, error: string, now: number): Promise<void> {
  await db.run(
    sql`update jobs set state = 'dead', claim = null, again_time = null, due_time = ${now}, error = ${error}
     where workspace_id = ${job.workspaceId ?? NO_WORKSPACE} and id = ${job.id} and claim = ${job.claim}`,
  )
}

/** Deletes jobs that died at or before a time, the oldest first. @returns the number of deleted jobs, at most `limit` */
export function dropDeadJobs(db: Transaction, diedBy: number, limit: number): Promise<number> {
  return db.change(
    sql`with dropped as materialized (
       select workspace_id, id from jobs where state = 'dead' and due_time <= ${diedBy} order by due_time
       limit ${limit}${raw(db.forUpdateSkipLocked)})
     delete from jobs where (workspace_id, id) in (select workspace_id, id from dropped)`,
  )
}

const listedRow = rowOf({
  workspace_id: 'text',
  id: 'text',
  kind: 'text',
  job_key: 'text?',
  payload: 'text',
  state: ['waiting', 'ready', 'running', 'dead'],
  due_time: 'integer',
  attempts: 'integer',
  interruptions: 'integer',
  error: 'text?',
})
type ListedRow = RowOf<typeof listedRow>

/** A job as operators see it. */
export interface ListedJob extends NewJobRow {
  readonly state: ListedRow['state']
  readonly attempts: number
  /** The number of attempts in a row that have begun but never ended. */
  readonly interruptions: number
  /** The error of its last attempt. */
  readonly error: string | null
}

function listed({ workspace_id, job_key: key, due_time: dueTime, ...others }: ListedRow): ListedJob {
  return { ...others, workspaceId: workspace_id === NO_WORKSPACE ? null : workspace_id, key, dueTime }
}

/** The condition and order of each list. An index has the same order. */
const LISTS = {
  unfinished: [sql`state in ('waiting', 'running')`, sql`kind, due_time`],
  ready: [sql`state = 'ready'`, sql`kind, workspace_id, due_time`],
  dead: [sql`state = 'dead'`, sql`due_time, id`],
} as const

export async function findJobs(
  db: Connection,
  list: keyof typeof LISTS,
  kind: string | undefined,
  limit: number,
): Promise<ListedJob[]> {
  const [condition, order] = LISTS[list]
  const rows = await db.all(
    listedRow,
    sql`select ${columnNames(listedRow)} from jobs where ${condition} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      order by ${order} limit ${limit}`,
  )
  return rows.map(listed)
}

/** The job with an id, among the jobs of the service itself and of these workspaces. */
export async function findJob(db: Connection, id: string, workspaceIds: readonly string[]): Promise<ListedJob | undefined> {
  const row = await db.get(
    listedRow,
    sql`select ${columnNames(listedRow, 'j')} from ${db.wanted([NO_WORKSPACE, ...workspaceIds])}
      ${db.lookUp('jobs', 'j', sql`j.workspace_id = wanted.id and j.id = ${id}`)}`,
  )
  return row && listed(row)
}

/**
 * Returns a dead job to waiting, with all its attempts available again, unless an unfinished job has its key.
 * @returns whether the job was returned
 */
export async function retryDeadJob(db: Transaction, { workspaceId, id }: JobRef, now: number): Promise<boolean> {
  const changed = await db.change(
    sql`update jobs set state = 'waiting', due_time = ${now}, attempts = 0, interruptions = 0
     where workspace_id = ${workspaceId ?? NO_WORKSPACE} and id = ${id} and state = 'dead' and not exists (
       select 1 from jobs as other where other.workspace_id = jobs.workspace_id and other.kind = jobs.kind
       and other.job_key = jobs.job_key and other.state <> 'dead')`,
  )
  return changed === 1
}

/** Releases the held jobs of a workspace: they are due at their former times. */
export async function releaseJobs(db: Transaction, workspaceId: string): Promise<void> {
  await db.run(
    sql`update jobs set due_time = due_time - ${HOLD_MS} where workspace_id = ${workspaceId} and due_time >= ${HOLD_MS / 2}`,
  )
}

export interface JobCount {
  readonly kind: string
  readonly count: number
}

/** The number of due jobs of each kind, counted up to `max`. The order makes the engine scan an index and stop at the limit. */
export async function countDueJobs(db: Connection, kinds: readonly string[], now: number, max: number): Promise<JobCount[]> {
  const rows = await db.all(
    { name: 'text', ready: 'integer', late: 'integer' },
    sql`with ${tableOf(kinds)} select name,
       (select count(*) from (select 1 from jobs where kind = name and state = 'ready' order by workspace_id, due_time limit ${max})
         as some_ready) as ready,
       (select count(*) from (select 1 from jobs where kind = name and state in ('waiting', 'running') and due_time <= ${now}
         order by due_time limit ${max}) as some_late) as late
     from kinds`,
  )
  return rows.map(({ name: kind, ready, late }) => ({ kind, count: Math.min(ready + late, max) }))
}

/** The number of dead jobs by kind, among the last `max` that died. */
export async function countDeadJobs(db: Connection, max: number): Promise<JobCount[]> {
  return db.all(
    { kind: 'text', count: 'integer' },
    sql`select kind, count(*) as count from (select kind from jobs where state = 'dead' order by due_time desc
      limit ${max}) as dead group by kind`,
  )
}
