export type { Change, PropertyChange, ViewField } from './change.ts'
export { changeForm } from './change_forms.ts'
export { fireAssignment } from './fire_triggers.ts'
export { CHANGE_KIND, changePayloadForm, type ChangePayload, type FiredChange } from './fired_changes.ts'
export { formingKind } from './forming_kind.ts'
export { expectEvents, hasListeners, recordEvent, type RecordScope } from './record_event.ts'
export { FORM_EVENTS, formingJobForm, sweepOutbox } from './start_forming.ts'
export { contentChange, contentUpdate, creation, moving, referenceTo, trashing } from './tree_changes.ts'
export { changeTypes, type ChangeTriggerType } from './trigger_types.ts'
export { deliveryKinds, type DeliveryDeps } from './webhooks/delivery.ts'
export { endSubscriptions } from './webhooks/end.ts'
export { DELIVERY_KIND, RETRY_KIND, SLOW_DELIVERY_KIND, subscriptionWorkForm, VERIFICATION_KIND } from './webhooks/kinds.ts'
export { renderWebhook } from './webhooks/payload.ts'
export { OPEN_MAX, type Receivers, type Reply, type Webhook } from './webhooks/receivers.ts'
export { requestVerification, startDelivery } from './webhooks/start.ts'
export {
  createSubscription,
  deleteSubscriptionOf,
  listSubscriptions,
  requireReceiver,
  retrieveSubscription,
  setSubscriptionStatus,
  updateSubscriptionOf,
} from './webhooks/subscriptions.ts'
export { sweepDeliveries } from './webhooks/sweep_deliveries.ts'
export { tokenKeyDigest } from './webhooks/token.ts'
export { resendToken, verificationKind, verifySubscription } from './webhooks/verification.ts'
