import { randomUUID } from 'node:crypto'
import type { Connection, Transaction } from '../../server/store/database.ts'
import {
  claimJob,
  countDeadJobs,
  countDueJobs,
  dropDeadJobs,
  findJob,
  listDueKinds,
  readyDueJobs,
  retryDeadJob,
} from '../../server/store/jobs.ts'

export interface PlantedJobs {
  readonly jobKind: string
  /** A dead job of the workspace. */
  readonly deadJob: string
}

/** Jobs of one kind in every state, half of them of separate workspaces. */
export async function plantJobs(db: Transaction, workspaceId: string, count: number): Promise<PlantedJobs> {
  const deadJob = randomUUID()
  const kind = `planted_${count}`
  const states = ['waiting', 'waiting', 'ready', 'ready', 'dead', 'running'] as const
  await db.insert({
    table: 'jobs',
    columns: ['workspace_id', 'id', 'kind', 'job_key', 'payload', 'state', 'due_time', 'attempts'],
    rows: Array.from({ length: count }, (_, index) => [
      index % 2 === 0 ? workspaceId : randomUUID(),
      index === DEAD_INDEX ? deadJob : randomUUID(),
      kind,
      `key ${index}`,
      '{}',
      states[index % states.length] ?? 'ready',
      index % 4 === 0 ? index + 1 : index + 1_000_000,
      0,
    ]),
  })
  return { jobKind: kind, deadJob }
}

const DEAD_INDEX = 4
const now = 999_999
const taken = { leaseEnd: now }

export const jobStatements = (
  workspaceId: string,
): Record<string, (db: Connection, tree: { readonly jobs: PlantedJobs }) => Promise<unknown>> => ({
  'which kinds of jobs are due': (db, { jobs: { jobKind } }) => listDueKinds(db, [jobKind, 'unknown'], now),
  'jobs that become due': (db, { jobs: { jobKind } }) => readyDueJobs(db as Transaction, jobKind, now, 10),
  'the next job of a workspace': (db, { jobs: { jobKind } }) =>
    claimJob(db as Transaction, jobKind, workspaceId, { claim: randomUUID(), ...taken }),
  'the next job of any': (db, { jobs: { jobKind } }) =>
    claimJob(db as Transaction, jobKind, null, { claim: randomUUID(), ...taken }),
  'how many jobs are due': (db, { jobs: { jobKind } }) => countDueJobs(db, [jobKind], now, 10),
  'how many jobs are dead': (db) => countDeadJobs(db, 10),
  'a job by its id': (db, { jobs: { deadJob } }) => findJob(db, deadJob, [workspaceId]),
  'a job that nobody knows': (db) => findJob(db, randomUUID(), [workspaceId]),
  'a dead job that gets its attempts again': (db, { jobs: { deadJob } }) =>
    retryDeadJob(db as Transaction, { workspaceId, id: deadJob }, now),
  'jobs that died long ago': (db) => dropDeadJobs(db as Transaction, now, 10),
})
