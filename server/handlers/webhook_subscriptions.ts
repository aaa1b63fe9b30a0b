import {
  createSubscription,
  deleteSubscriptionOf,
  listSubscriptions,
  requireReceiver,
  retrieveSubscription,
  updateSubscriptionOf,
  resendToken,
  verifySubscription,
} from '../domain/events/index.ts'
import { read, write, writeAfter, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const webhookSubscriptionHandlers = {
  listWebhookSubscriptions: read((scope, call) => listSubscriptions(scope, pageRequest(call.query))),
  createWebhookSubscription: writeAfter(
    ({ receivers }, call) => requireReceiver(receivers, call.body),
    (scope, call) => createSubscription(scope, call.body),
  ),
  retrieveWebhookSubscription: read((scope, call) => retrieveSubscription(scope, call.path.subscription_id)),
  updateWebhookSubscription: writeAfter(
    ({ receivers }, call) => requireReceiver(receivers, call.body),
    (scope, call) => updateSubscriptionOf(scope, call.path.subscription_id, call.body),
  ),
  deleteWebhookSubscription: write((scope, call) => deleteSubscriptionOf(scope, call.path.subscription_id)),
  verifyWebhookSubscription: write((scope, call) =>
    verifySubscription(scope, call.path.subscription_id, call.body.verification_token),
  ),
  sendWebhookVerification: write((scope, call) => resendToken(scope, call.path.subscription_id)),
} satisfies Partial<Handlers>
