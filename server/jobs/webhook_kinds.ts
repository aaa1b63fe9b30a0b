import { formingKind } from '../domain/events/forming_kind.ts'
import type { JobKind } from '../domain/shared/jobs/job.ts'
import { deliveryKinds, type DeliveryParts } from '../domain/events/webhooks/delivery.ts'
import { verificationKind } from '../domain/events/webhooks/verification.ts'

/** The kinds of jobs that form events and deliver them. They need so little that a thread of their own can run them. */
export function webhookKinds(parts: DeliveryParts): readonly JobKind[] {
  return [formingKind(parts), verificationKind(parts), ...deliveryKinds(parts)]
}
