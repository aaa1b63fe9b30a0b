import { sweepAgents, sweepHours, sweepSchedules } from '../domain/agents/index.ts'
import { sweepEntries } from '../domain/administration/index.ts'
import { sweepTasks, sweepViewQueries } from '../domain/data/index.ts'
import {
  sweepWindows,
  sweepKeys,
  sweepDeadJobs,
  type Transaction,
  type Attempt,
  type JobKind,
  type JobDeps,
} from '../domain/shared/index.ts'
import { sweepOutbox, sweepDeliveries } from '../domain/events/index.ts'
import { expireUploads, type FileVault } from '../domain/files/index.ts'
import { sweepCodes } from '../domain/oauth/index.ts'
import { sweepErased } from '../domain/content/index.ts'
import { sweepSignIns } from '../domain/people/index.ts'

/** Deletes, or otherwise handles, about `limit` expired rows. @returns how many; fewer than `limit` if none are left */
type Sweep = (db: Transaction, now: number, limit: number) => Promise<number>

/** All expiring records, by the kind of job that handles them. */
const sweeps: Readonly<Record<string, Sweep>> = {
  sweep_idempotency_keys: sweepKeys,
  sweep_budget_windows: sweepWindows,
  sweep_authorization_codes: sweepCodes,
  sweep_sign_ins: sweepSignIns,
  sweep_async_tasks: sweepTasks,
  sweep_deleted_agents: sweepAgents,
  sweep_erased_content: sweepErased,
  sweep_view_queries: sweepViewQueries,
  sweep_file_uploads: expireUploads,
  sweep_outbox: sweepOutbox,
  sweep_webhook_deliveries: sweepDeliveries,
  sweep_dead_jobs: sweepDeadJobs,
  sweep_agent_schedules: sweepSchedules,
  sweep_agent_hours: sweepHours,
}

const DAY_MS = 86_400_000
const EVERY_MS = 60_000
const LEASE_MS = 120_000
/** The number of rows in one transaction. It is small, so that no request waits long for the transaction. */
const ROWS_AT_ONCE = 200
/** After this many batches, another run with its own lease continues. */
const BATCHES_MAX = 50

type SweepDeps = Pick<JobDeps, 'now'> & { readonly auditLogDays: number }

/** A kind of job for each sweep. Each runs about once a minute, in one process. */
export function sweepKinds(deps: SweepDeps): readonly JobKind[] {
  const sweepAuditLog: Sweep = (db, now, limit) => sweepEntries(db, now - deps.auditLogDays * DAY_MS, limit)
  const all = Object.entries({ ...sweeps, sweep_audit_log: sweepAuditLog })
  return all.map(([name, sweep]) => sweepKind(deps, name, (attempt) => sweepOnce(deps, sweep, attempt)))
}

/** Removes the bytes of files that nothing refers to. */
export function fileSweepKind(deps: Pick<JobDeps, 'now'> & { readonly vault: FileVault }): JobKind {
  return sweepKind(deps, 'sweep_files', () => deps.vault.sweep(deps.now(), ROWS_AT_ONCE))
}

/** @param sweep returns how many rows it handled; fewer than `ROWS_AT_ONCE` if none are left */
function sweepKind({ now }: Pick<JobDeps, 'now'>, name: string, sweep: (attempt: Attempt) => Promise<number>): JobKind {
  return {
    name,
    pauses: [10_000],
    every: EVERY_MS,
    leaseMilliseconds: LEASE_MS,
    atOnce: 1,
    async run(_job, attempt) {
      for (let batch = 0; !attempt.signal.aborted; batch += 1) {
        if (batch >= BATCHES_MAX) return void (await attempt.continueAt(now()))
        if ((await sweep(attempt)) < ROWS_AT_ONCE) return
      }
    },
  }
}

async function sweepOnce({ now }: Pick<JobDeps, 'now'>, sweep: Sweep, attempt: Attempt): Promise<number> {
  let count = 0
  await attempt.whileHeld(async (db) => {
    count = await sweep(db, now(), ROWS_AT_ONCE)
  })
  return count
}
