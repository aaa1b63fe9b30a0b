import { formingKind } from '../domain/events/forming_kind.ts'
import type { JobKind, JobParts } from '../domain/jobs/job.ts'

/** Every kind of work that goes on behind requests. */
export function jobKinds(parts: JobParts): readonly JobKind[] {
  return [formingKind(parts)]
}
