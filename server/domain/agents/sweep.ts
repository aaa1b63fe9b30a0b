import { dropDeletedAgents } from '../../store/agent_states.ts'
import { dropHours } from '../../store/agent_watch.ts'
import type { Transaction } from '../../store/database.ts'
import { DELETED_KEPT_MS } from './agent.ts'
import { USUAL_MS } from './watch.ts'

/** Deletes agents that can no longer be restored. @returns roughly the number of rows */
export function sweepAgents(db: Transaction, now: number, limit: number): Promise<number> {
  return dropDeletedAgents(db, now - DELETED_KEPT_MS, limit)
}

const HOUR_MS = 3_600_000

/** Deletes the hourly usage that is too old to determine the usual usage of agents. @returns the number of rows */
export function sweepHours(db: Transaction, now: number, limit: number): Promise<number> {
  return dropHours(db, now - USUAL_MS - HOUR_MS, limit)
}
