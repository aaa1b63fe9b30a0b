import type { WebhookApiVersion, WebhookEventType, WebhookSubscription } from '../../../../generated/types.ts'
import { toTimestamp } from '../../../kernel/clock.ts'
import type { WebhookSubscriptionRow } from '../../../store/webhook_subscriptions.ts'
import { readJson } from '../../../store/stored/read_json.ts'

/** A subscription in responses, without its token. */
export function presentSubscription(row: WebhookSubscriptionRow): WebhookSubscription {
  return {
    object: 'webhook_subscription',
    id: row.id,
    integration_id: row.connection_id,
    name: row.name,
    url: row.url,
    event_types: eventTypesOf(row),
    api_version: versionOfSubscription(row),
    status: row.status,
    pause_reason: row.pause_reason,
    created_time: toTimestamp(row.created_time),
    last_edited_time: toTimestamp(row.last_edited_time),
    verified_time: row.verified_time === null ? null : toTimestamp(row.verified_time),
    last_verification:
      row.verification_time === null
        ? null
        : { time: toTimestamp(row.verification_time), status_code: row.verification_status, error: row.verification_error },
  }
}

/** The event types, which were validated before they were stored. */
export function eventTypesOf({ id, event_types: types }: Pick<WebhookSubscriptionRow, 'id' | 'event_types'>): WebhookEventType[] {
  return readJson('webhook_subscriptions.event_types', id, types) as WebhookEventType[]
}

export function versionOfSubscription({ api_version: version }: Pick<WebhookSubscriptionRow, 'api_version'>): WebhookApiVersion {
  return version as WebhookApiVersion
}
