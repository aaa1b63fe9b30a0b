import { createHmac } from 'node:crypto'

/** A user in events. */
export interface EventActor {
  readonly id: string
  readonly type: 'person' | 'bot' | 'agent'
}

/** The part of the payload that is the same in all attempts to deliver an event. */
export interface FormedEvent {
  readonly id: string
  /** The time of the event, in the format of payloads. */
  readonly timestamp: string
  readonly workspace_id: string
  readonly workspace_name: string
  readonly subscription_id: string
  readonly integration_id: string
  readonly authors: readonly EventActor[]
  readonly api_version: string
  readonly type: string
  readonly entity: { readonly id: string; readonly type: string }
  readonly data?: object
}

interface EventAttempt {
  /** JSON of a `FormedEvent`. */
  readonly event: string
  /** Starting with 1. */
  readonly attempt: number
  /** Undefined for internal connections. */
  readonly accessibleBy: readonly EventActor[] | undefined
}

export type WebhookContent = EventAttempt | 'verification token'

/** The body and the signature of a webhook. @param token the complete verification token */
export function renderWebhook({ token, content }: { readonly token: string; readonly content: WebhookContent }): {
  readonly body: string
  readonly signature: string
} {
  const body = content === 'verification token' ? JSON.stringify({ verification_token: token }) : renderAttempt(content)
  return { body, signature: signatureOf(token, body) }
}

/**
 * The body of an attempt. Members that differ between attempts are inserted before `api_version`. No text contains this place, because
 * quotation marks in a text are escaped.
 */
function renderAttempt({ event, attempt, accessibleBy }: EventAttempt): string {
  const place = event.indexOf(',"api_version":')
  const seenBy = accessibleBy === undefined ? '' : `,"accessible_by":${JSON.stringify(accessibleBy)}`
  return `${event.slice(0, place)}${seenBy},"attempt_number":${attempt}${event.slice(place)}`
}

/** The signature of a body, which proves that it comes from the service. @param token the complete verification token */
export function signatureOf(token: string, body: string): string {
  return `sha256=${createHmac('sha256', token).update(body).digest('hex')}`
}
