import { claimJobs } from '../../server/domain/shared/jobs/attempts.ts'
import type { FileVault } from '../../server/domain/files/vault.ts'
import type { JobKind } from '../../server/domain/shared/jobs/job.ts'
import { enqueue, enqueueRecurring } from '../../server/domain/shared/jobs/queue.ts'
import { fileSweepKind, sweepKinds } from '../../server/jobs/sweeps.ts'
import type { Database } from '../../server/store/database.ts'

/** The default of the setting. */
const AUDIT_LOG_DAYS = 90
const RECURRING = [...sweepKinds({ now: () => 0, auditLogDays: AUDIT_LOG_DAYS }).map(({ name }) => name), 'sweep_files']

/** Deletes expired data, as the service does about once a minute. */
export async function sweep(database: Database, time: number): Promise<void> {
  for (const kind of sweepKinds({ now: () => time, auditLogDays: AUDIT_LOG_DAYS })) await runByHand(database, kind, time)
}

/**
 * Removes unreferenced file objects.
 * @throws Error of the storage
 */
export async function sweepFiles(database: Database, vault: FileVault, time: number): Promise<void> {
  await runByHand(database, fileSweepKind({ now: () => time, vault }), time)
}

/** Runs a kind of job until none is due, under a name that no server polls. */
async function runByHand(database: Database, { name, ...kind }: JobKind, time: number): Promise<void> {
  const own: JobKind = { ...kind, name: `${name}_by_hand` }
  const parts = { database, now: () => time, scrub: (text: string) => text }
  await database.write(async (db) => {
    await db.run('delete from jobs where kind = ?', own.name)
    await enqueue(db, { kind: own.name, payload: {}, dueTime: time })
  })
  for (;;) {
    const [attempt] = await claimJobs(parts, [{ kind: own, room: 1, after: null }])
    if (!attempt) return
    const failure = await attempt.run()
    if (failure) throw failure.error
  }
}

/** Later than any time in a test. */
const NEVER = Date.parse('9000-01-01T00:00:00Z')

/** Keeps a service from sweeping when a test advances its clock, so that expired data stays until the test sweeps. */
export async function holdSweeps(database: Database): Promise<void> {
  await database.write(async (db) => {
    for (const kind of RECURRING) await enqueueRecurring(db, kind, NEVER)
    for (const kind of RECURRING) await db.run(`update jobs set due_time = ? where kind = ? and state = 'waiting'`, NEVER, kind)
  })
}
