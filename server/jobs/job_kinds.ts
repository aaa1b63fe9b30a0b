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
  type TurnDeps,
} from '../domain/agents/index.ts'
import { asyncTaskKind, works } from '../domain/data/index.ts'
import { fileImportKind } from '../domain/files/index.ts'
import type { JobKind } from '../domain/shared/index.ts'
import type { jobDeps } from './job_deps.ts'
import { fileSweepKind, sweepKinds } from './sweeps.ts'

type KindDeps = ReturnType<typeof jobDeps> & TurnDeps

/** Every kind of background job except webhooks. */
export function jobKinds(deps: KindDeps): readonly JobKind[] {
  const onCommit = (sessionId: string): void => deps.feed.committed(sessionId)
  return [
    asyncTaskKind({ ...deps, works: new Map([...works, [AGENT_BATCH, batchWork]]) }),
    fileImportKind(deps),
    sessionTurnKind(deps),
    sessionLimitKind(deps, onCommit),
    noteKind(deps),
    scheduleKind(deps),
    changeKind(deps),
    followKind(deps),
    endTurnsKind(deps, onCommit),
    ...sweepKinds(deps),
    fileSweepKind(deps),
  ]
}
