import type { SessionError } from '../../../../generated/types.ts'
import { findTurn, type TurnRow } from '../../../store/session_turns.ts'
import type { SessionRow } from '../../../store/sessions.ts'
import type { JobKind, JobDeps } from '../../shared/index.ts'
import { LIMIT_KIND, LIMITS_MS, type LimitPayload } from './jobs.ts'
import type { Trigger } from './state_machine.ts'
import { usageOf } from './usage.ts'
import { SessionWriter } from './writer.ts'

const PAUSES = [1_000, 5_000, 30_000, 120_000, 600_000]
const LEASE_MS = 30_000
const AT_ONCE = 4

/** The outcome of reaching the limit for a status. */
const outcomes: Readonly<
  Record<
    LimitPayload['limit'],
    { readonly status: SessionRow['status']; readonly trigger: Trigger; readonly error: SessionError }
  >
> = {
  queue: {
    status: 'queued',
    trigger: 'fail',
    error: {
      code: 'service_unavailable',
      message: `The turn did not start within ${LIMITS_MS.queue / 1000} seconds.`,
      retryable: true,
    },
  },
  turn: {
    status: 'in_progress',
    trigger: 'fail',
    error: {
      code: 'runtime_timeout',
      message: `The turn took longer than ${LIMITS_MS.turn / 1000} seconds.`,
      retryable: true,
    },
  },
  action: {
    status: 'requires_action',
    trigger: 'expire',
    error: { code: 'action_expired', message: 'Nobody decided on the proposed actions within 24 hours.', retryable: false },
  },
}

/** The kind of jobs that end turns that have waited or run too long. @param onCommit called with a session that has changed */
export function sessionLimitKind({ now }: JobDeps, onCommit: (sessionId: string) => void): JobKind {
  return {
    name: LIMIT_KIND,
    pauses: PAUSES,
    leaseMilliseconds: LEASE_MS,
    atOnce: AT_ONCE,
    async run(job, attempt) {
      const { workspaceId } = job
      if (workspaceId === null) return
      // Only `limitJob` writes the payload.
      const payload = job.payload as LimitPayload
      await attempt.finish(async (db) => {
        const writer = await SessionWriter.hold(db, workspaceId, payload.sessionId, now())
        if (!writer) return
        const turn = await findTurn(db, workspaceId, payload.sessionId, payload.turn)
        if (!isReached(payload, writer.session, turn)) return
        const { trigger, error } = outcomes[payload.limit]
        writer.move(trigger, { error, ...usageOf(turn) })
        await writer.save()
      })
      onCommit(payload.sessionId)
    },
  }
}

function isReached(limit: LimitPayload, session: SessionRow, turn: TurnRow): boolean {
  return session.turn === limit.turn && turn.run === limit.run && session.status === outcomes[limit.limit].status
}
