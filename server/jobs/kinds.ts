import { asyncTaskKind } from '../domain/async_tasks/run.ts'
import { works } from '../domain/async_tasks/works.ts'
import { formingKind } from '../domain/events/forming_kind.ts'
import { fileImportKind } from '../domain/file_uploads/import.ts'
import type { JobKind, JobParts } from '../domain/jobs/job.ts'
import { deliveryKinds } from '../domain/webhooks/delivery.ts'
import { verificationKind } from '../domain/webhooks/verification.ts'
import { fileSweepKind, sweepKinds } from './sweeps.ts'

/** Every kind of work that goes on behind requests. */
export function jobKinds(parts: JobParts): readonly JobKind[] {
  return [
    asyncTaskKind({ ...parts, works }),
    fileImportKind(parts),
    formingKind(parts),
    verificationKind(parts),
    ...deliveryKinds(parts),
    ...sweepKinds(parts),
    fileSweepKind(parts),
  ]
}
