import type { JobKind, JobParts } from '../domain/jobs/job.ts'

/** Every kind of work that goes on behind requests. */
export function jobKinds(_parts: JobParts): readonly JobKind[] {
  return []
}
