import type { JobKind, JobParts } from '../domain/jobs/job.ts'
import { deliveryKinds } from '../domain/webhooks/delivery.ts'
import { verificationKind } from '../domain/webhooks/verification.ts'

/** Every kind of work that goes on behind requests. */
export function jobKinds(parts: JobParts): readonly JobKind[] {
  return [
    verificationKind(parts), //
    ...deliveryKinds(parts),
  ]
}
