import {
  AGENT_BATCH,
  batchWork,
  endTurnsKind,
  noteKind,
  sessionLimitKind,
  sessionTurnKind,
  changeKind,
  followKind,
  scheduleKind,
  type TurnParts,
} from '../domain/agents/index.ts'
import { asyncTaskKind, works } from '../domain/data/index.ts'
import { fileImportKind } from '../domain/files/index.ts'
import type { JobKind } from '../domain/shared/index.ts'
import type { jobParts } from './job_parts.ts'
import { fileSweepKind, sweepKinds } from './sweeps.ts'

/** The dependencies of all kinds. */
type KindParts = ReturnType<typeof jobParts> & TurnParts

/** Every kind of background job except webhooks. */
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
