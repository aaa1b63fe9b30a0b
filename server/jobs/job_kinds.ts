import { AGENT_BATCH, batchWork } from '../domain/agents/batch.ts'
import { endTurnsKind } from '../domain/agents/end_turns_kind.ts'
import { asyncTaskKind } from '../domain/data/async_tasks/task_kind.ts'
import { works } from '../domain/data/async_tasks/works.ts'
import { fileImportKind } from '../domain/files/import.ts'
import type { JobKind } from '../domain/shared/jobs/job.ts'
import { noteKind } from '../domain/agents/meeting_notes/process_note.ts'
import { sessionLimitKind } from '../domain/agents/sessions/limits.ts'
import { sessionTurnKind } from '../domain/agents/sessions/turn_job.ts'
import type { TurnParts } from '../domain/agents/sessions/turn_parts.ts'
import { changeKind } from '../domain/agents/triggers/change_kind.ts'
import { followKind, scheduleKind } from '../domain/agents/triggers/schedule_kind.ts'
import type { jobParts } from './job_parts.ts'
import { fileSweepKind, sweepKinds } from './sweeps.ts'

/** The dependencies of all kinds. */
type KindParts = ReturnType<typeof jobParts> & TurnParts

/** Every kind of background job but those of webhooks. */
export function jobKinds(parts: KindParts): readonly JobKind[] {
  const onCommit = (sessionId: string): void => parts.feed.committed(sessionId)
  return [
    asyncTaskKind({ ...parts, works: new Map([...works, [AGENT_BATCH, batchWork]]) }),
    fileImportKind(parts),
    sessionTurnKind(parts),
    sessionLimitKind(parts, onCommit),
    noteKind(parts),
    scheduleKind(parts),
    changeKind(parts),
    followKind(parts),
    endTurnsKind(parts, onCommit),
    ...sweepKinds(parts),
    fileSweepKind(parts),
  ]
}
