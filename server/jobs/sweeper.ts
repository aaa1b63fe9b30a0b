import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { sweepAgents } from '../domain/agents/sweep.ts'
import { sweepTasks } from '../domain/async_tasks/tasks.ts'
import { sweepKeys } from '../domain/idempotency.ts'
import { expireUploads } from '../domain/file_uploads/expire.ts'
import type { FileVault } from '../domain/file_uploads/vault.ts'
import { sweepWindows } from '../domain/budgets.ts'
import { sweepErased } from '../domain/pages/erase.ts'
import { sweepCodes } from '../domain/oauth/decide.ts'
import { sweepSignIns } from '../domain/people/sessions.ts'
import { sweepViewQueries } from '../domain/views/queries.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Database, Transaction } from '../domain/database.ts'

/** Deletes about `limit` rows that are no longer needed. @returns how many; fewer than `limit` when none are left */
type Sweep = (db: Transaction, now: number, limit: number) => Promise<number>

/** Everything that expires. */
const sweeps: Readonly<Record<string, Sweep>> = {
  'idempotency keys': sweepKeys,
  'budget windows': sweepWindows,
  'authorization codes': sweepCodes,
  'sign-ins': sweepSignIns,
  'async tasks': sweepTasks,
  'deleted agents': sweepAgents,
  'erased content': sweepErased,
  'view queries': sweepViewQueries,
  'file uploads': expireUploads,
}

const INTERVAL_MS = 60_000
/** Few enough that no request waits long for one of these transactions. */
const ROWS_AT_ONCE = 200

export interface Sweeper {
  stop(): Promise<void>
}

/** Sweeps about once a minute, at irregular intervals, so that several processes do not do it at the same time. */
export function startSweeper(database: Database, vault: FileVault, clock: Clock, log: Logger): Sweeper {
  const ending = new AbortController()
  const done = run(database, vault, clock, log, ending.signal)
  return {
    async stop() {
      ending.abort()
      await done
    },
  }
}

async function run(database: Database, vault: FileVault, clock: Clock, log: Logger, signal: AbortSignal): Promise<void> {
  while (await waited(INTERVAL_MS * (0.5 + Math.random()), signal)) {
    const complain = (error: unknown): void => log.warn({ err: error }, 'sweeping failed; it goes on in a minute')
    await sweep(database, clock.now(), signal).catch(complain)
    await sweepFiles(vault, clock.now(), signal).catch(complain)
  }
}

/** One round over everything. */
export async function sweep(database: Database, now: number, signal?: AbortSignal): Promise<void> {
  for (const drop of Object.values(sweeps)) {
    for (let dropped = ROWS_AT_ONCE; dropped >= ROWS_AT_ONCE && !signal?.aborted;) {
      dropped = await database.write((db) => drop(db, now, ROWS_AT_ONCE))
    }
  }
}

/** Deletes stored bytes that nothing refers to any more. */
export async function sweepFiles(vault: FileVault, now: number, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await vault.sweep(now, ROWS_AT_ONCE)) >= ROWS_AT_ONCE);
}

async function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return pause(milliseconds, true, { signal, ref: false }).catch(() => false)
}
