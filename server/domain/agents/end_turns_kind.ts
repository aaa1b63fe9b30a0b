import { findAgentRecord } from '../../store/agents.ts'
import type { SessionPlace } from '../../store/sessions.ts'
import type { Attempt, Job, JobKind, JobDeps } from '../shared/index.ts'
import { endingOf, endSomeTurns } from './sessions/terminate.ts'
import { END_TURNS_KIND } from './pauses.ts'

/** After this many transactions, another run with a lease of its own continues. */
const TRANSACTIONS_MAX = 50

/**
 * The kind of jobs that end the turns of an agent: if one of its turns paused it, or if ending them takes more than one transaction.
 * @param onCommit called with each session that has changed
 */
export function endTurnsKind(deps: Pick<JobDeps, 'now'>, onCommit: (sessionId: string) => void): JobKind {
  return {
    name: END_TURNS_KIND,
    pauses: [1_000, 5_000, 30_000, 120_000],
    leaseMilliseconds: 30_000,
    atOnce: 2,
    run: (job, attempt) => endAll(deps, job, attempt, onCommit),
  }
}

async function endAll(
  { now }: Pick<JobDeps, 'now'>,
  { workspaceId, payload }: Job,
  attempt: Attempt,
  onCommit: (sessionId: string) => void,
): Promise<void> {
  if (workspaceId === null) return
  // Only `enqueueEndTurns` writes the payload.
  const { agentId } = payload as { readonly agentId: string }
  let place: SessionPlace | undefined
  for (let count = 1; count === 1 || (place && !attempt.signal.aborted); count += 1) {
    let [ended, next]: [readonly string[], SessionPlace | undefined] = [[], undefined]
    const isOurs = await attempt.settle(async (db) => {
      const agent = await findAgentRecord(db, workspaceId, agentId)
      // The agent may have been enabled or restored.
      const ending = agent && endingOf(agent)
      if (!ending) return undefined
      ;({ ended, next } = await endSomeTurns(db, { workspaceId, agentId, now: now() }, ending, place))
      if (!next) return undefined
      return count < TRANSACTIONS_MAX ? 'held' : now()
    })
    if (!isOurs) return
    for (const id of ended) onCommit(id)
    place = count < TRANSACTIONS_MAX ? next : undefined
  }
}
