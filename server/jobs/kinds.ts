import { formingKind } from '../domain/events/forming_kind.ts'
import type { JobKind, JobParts } from '../domain/jobs/job.ts'
import { sessionLimitKind } from '../domain/sessions/limits.ts'
import { sessionTurnKind } from '../domain/sessions/turn_job.ts'
import type { TurnParts } from '../domain/sessions/turn_parts.ts'

/** What all kinds together are made from. */
export interface KindParts extends JobParts, TurnParts {}

/** Every kind of work that goes on behind requests. */
export function jobKinds(parts: KindParts): readonly JobKind[] {
  return [formingKind(parts), sessionTurnKind(parts), sessionLimitKind(parts, (id) => parts.feed.committed(id))]
}
