import { randomUUID } from 'node:crypto'
import type { Connection, Transaction } from '../../server/store/database.ts'
import { claimJob, countDeadJobs, countDueJobs, dropDeadJobs, listDueKinds, readyDueJobs } from '../../server/store/jobs.ts'

/** Jobs of one kind in every state, half of them of workspaces of their own. @returns the kind */
export async function plantJobs(db: Transaction, workspaceId: string, count: number): Promise<string> {
  const kind = `planted_${count}`
  const states = ['waiting', 'waiting', 'ready', 'ready', 'dead', 'running'] as const
  await db.insert({
    table: 'jobs',
    columns: ['workspace_id', 'id', 'kind', 'job_key', 'payload', 'state', 'due_time', 'attempts'],
    rows: Array.from({ length: count }, (_, index) => [
      index % 2 === 0 ? workspaceId : randomUUID(),
      randomUUID(),
      kind,
      `key ${index}`,
      '{}',
      states[index % states.length] ?? 'ready',
      index % 4 === 0 ? index + 1 : index + 1_000_000,
      0,
    ]),
  })
  return kind
}

const now = 999_999
const taken = { leaseEnd: now }

/** What is asked of the queue. */
export const jobStatements = (
  workspaceId: string,
): Record<string, (db: Connection, jobs: { readonly jobKind: string }) => Promise<unknown>> => ({
  'which kinds of jobs are due': (db, { jobKind }) => listDueKinds(db, [jobKind, 'unknown'], now),
  'jobs that become due': (db, { jobKind }) => readyDueJobs(db as Transaction, jobKind, now, 10),
  'the next job of a workspace': (db, { jobKind }) =>
    claimJob(db as Transaction, jobKind, workspaceId, { claim: randomUUID(), ...taken }),
  'the next job of any': (db, { jobKind }) => claimJob(db as Transaction, jobKind, null, { claim: randomUUID(), ...taken }),
  'how many jobs are due': (db, { jobKind }) => countDueJobs(db, [jobKind], now, 10),
  'how many jobs are dead': (db) => countDeadJobs(db, 10),
  'jobs that died long ago': (db) => dropDeadJobs(db as Transaction, now, 10),
})
