import type { Connection, Transaction } from '../../store/database.ts'
import { dropJob, findJob, findJobs, retryDeadJob, type ListedJob } from '../../store/jobs.ts'
import { listWorkspaces } from '../../store/workspaces.ts'
import { AdministrationError } from '../shared/index.ts'

export type { ListedJob } from '../../store/jobs.ts'

interface JobFilter {
  readonly kind?: string
  /** Only jobs whose last attempt has failed. */
  readonly dead?: boolean
  readonly limit: number
}

/** Unfinished and dead jobs: first those that wait or run, then those that are ready, then dead ones, oldest first. */
export async function listJobs(db: Connection, { kind, dead, limit }: JobFilter): Promise<ListedJob[]> {
  const jobs: ListedJob[] = []
  for (const list of dead ? (['dead'] as const) : (['unfinished', 'ready', 'dead'] as const))
    jobs.push(...(await findJobs(db, list, kind, limit - jobs.length)))
  return jobs
}

/** @throws AdministrationError if there is no such job, or it has finished */
export async function showJob(db: Connection, id: string): Promise<ListedJob> {
  const workspaces = await listWorkspaces(db)
  const job = await findJob(
    db,
    id,
    workspaces.map((one) => one.id),
  )
  if (!job) throw new AdministrationError(`No job has the id ${id}. Finished jobs are deleted.`)
  return job
}

/** Resets the attempts of a dead job. @returns the job @throws AdministrationError if it is not dead */
export async function retryJob(db: Transaction, id: string, now: number): Promise<ListedJob> {
  const job = await showJob(db, id)
  if (job.state !== 'dead') throw notDead(id, job.state)
  if (!(await retryDeadJob(db, job, now)))
    throw new AdministrationError(
      `The job ${id} cannot be retried: another job with the same kind and key is queued and does the same work.`,
    )
  return job
}

/** Deletes a dead job. @returns the job @throws AdministrationError if there is no such job */
export async function deleteJob(db: Transaction, id: string): Promise<ListedJob> {
  const job = await showJob(db, id)
  if (job.state !== 'dead') throw notDead(id, job.state)
  await dropJob(db, job)
  return job
}

function notDead(id: string, state: string): AdministrationError {
  return new AdministrationError(`The job ${id} is ${state}; only dead jobs can be retried or deleted.`)
}
