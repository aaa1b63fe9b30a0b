import { findAgentRecord } from '../../store/agents.ts'
import type { Job, JobKind, JobParts } from '../jobs/job.ts'
import { terminateTurns } from '../sessions/terminate.ts'
import { END_TURNS_KIND } from './watch.ts'

/**
 * Ends the turns of an agent that one of its turns has had paused. That turn cannot do it itself: two that end one another would wait for
 * each other.
 */
export function endTurnsKind({ now }: Pick<JobParts, 'now'>): JobKind {
  return {
    name: END_TURNS_KIND,
    pauses: [1_000, 5_000, 30_000, 120_000],
    leaseMilliseconds: 30_000,
    atOnce: 2,
    async run({ workspaceId, payload }: Job, attempt) {
      if (workspaceId === null) return
      // Written by `watch.ts` alone.
      const { agentId } = payload as { readonly agentId: string }
      await attempt.finish(async (db) => {
        const agent = await findAgentRecord(db, workspaceId, agentId)
        // Somebody may have enabled it again.
        if (agent?.deletedTime !== null || agent.pauseReason === null) return
        await terminateTurns(db, { workspaceId, agentId, code: 'agent_disabled', now: now() })
      })
    },
  }
}
