import { formingKind } from '../domain/events/forming_kind.ts'
import type { JobKind, JobParts } from '../domain/jobs/job.ts'
import { noteKind } from '../domain/meeting_notes/process_note.ts'

/** Every kind of work that goes on behind requests. */
export function jobKinds(parts: JobParts): readonly JobKind[] {
  return [formingKind(parts), noteKind(parts)]
}
