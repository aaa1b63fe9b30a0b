import { formingKind, deliveryKinds, verificationKind, type DeliveryParts } from '../domain/events/index.ts'
import type { JobKind } from '../domain/shared/index.ts'

/** The kinds of jobs that create events and deliver them. They need so little that a dedicated thread can run them. */
export function webhookKinds(parts: DeliveryParts): readonly JobKind[] {
  return [formingKind(parts), verificationKind(parts), ...deliveryKinds(parts)]
}
