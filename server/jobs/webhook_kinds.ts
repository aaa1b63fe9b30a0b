import { formingKind, deliveryKinds, verificationKind, type DeliveryDeps } from '../domain/events/index.ts'
import type { JobKind } from '../domain/shared/index.ts'

/** The kinds of jobs that create events and deliver them. They have so few dependencies that a thread of their own can run them. */
export function webhookKinds(deps: DeliveryDeps): readonly JobKind[] {
  return [formingKind(deps), verificationKind(deps), ...deliveryKinds(deps)]
}
