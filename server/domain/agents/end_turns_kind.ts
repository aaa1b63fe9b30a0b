import type { PauseReason } from '../../../generated/types.ts'
import { findAgentRecord } from '../../store/agents.ts'
import type { Job, JobKind, JobParts } from '../jobs/job.ts'
import { endTurnsOfDisabled } from '../sessions/terminate.ts'
import { END_TURNS_KIND } from './pauses.ts'

/**
 * The kind of jobs that end the turns of an agent that was paused by one of its turns.
 * @param onCommit called with each session that has changed
 */
export function endTurnsKind({ now }: Pick<JobParts, 'now'>, onCommit: (sessionId: string) => void): JobKind {
  return {
    name: END_TURNS_KIND,
    pauses: [1_000, 5_000, 30_000, 120_000],
    leaseMilliseconds: 30_000,
    atOnce: 2,
    async run({ workspaceId, payload }: Job, attempt) {
      if (workspaceId === null) return
      // Only `pauseByTurn` writes the payload.
      const { agentId } = payload as { readonly agentId: string }
      let ended: readonly string[] = []
      await attempt.finish(async (db) => {
        const agent = await findAgentRecord(db, workspaceId, agentId)
        // The agent may have been enabled again.
        if (agent?.deletedTime !== null || agent.pauseReason === null) return
        const reason = agent.pauseReason as PauseReason
        ended = await endTurnsOfDisabled(db, { workspaceId, agentId, reason, now: now() })
      })
      for (const id of ended) onCommit(id)
    },
  }
}
