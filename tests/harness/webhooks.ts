import type { TestResponse } from './responses.ts'
import type { Caller, HeaderMap } from './caller.ts'
import { idOf, type JsonObject } from './json.ts'
import { basic, type OAuthClient } from './oauth.ts'
import { until } from './process.ts'
import type { HookReceiver } from './webhook_receiver.ts'

/** The headers with which a public connection manages its subscriptions. */
export function asClient({ clientId, clientSecret }: Pick<OAuthClient, 'clientId' | 'clientSecret'>): HeaderMap {
  return { Authorization: basic(clientId, clientSecret) }
}

export function subscribe(caller: Caller, url: string, options: object = {}, headers: HeaderMap = {}): Promise<TestResponse> {
  return caller.call('createWebhookSubscription', { body: { url, event_types: ['page.created'], ...options }, headers })
}

/** Creates a subscription and waits for its verification token. @returns its id and the token */
export async function subscribed(
  caller: Caller,
  receiver: HookReceiver,
  {
    path = 'in',
    headers = {},
    ...options
  }: { readonly path?: string; readonly headers?: HeaderMap; readonly [key: string]: unknown } = {},
): Promise<{ readonly id: string; readonly token: string }> {
  const known = receiver.tokens(path).length
  const { status, body } = await subscribe(caller, receiver.url(path), options, headers)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { id: idOf(body), token: await until(() => receiver.tokens(path)[known]) }
}

export function verify(caller: Caller, id: string, token: string, headers: HeaderMap = {}): Promise<TestResponse> {
  return caller.call('verifyWebhookSubscription', { path: { subscription_id: id }, body: { verification_token: token }, headers })
}

/** Like `subscribed`, and verifies the subscription. */
export async function activated(
  caller: Caller,
  receiver: HookReceiver,
  options: Parameters<typeof subscribed>[2] = {},
): ReturnType<typeof subscribed> {
  const made = await subscribed(caller, receiver, options)
  const { status, body } = await verify(caller, made.id, made.token, options.headers)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return made
}

export async function retrieve(caller: Caller, id: string, headers: HeaderMap = {}): Promise<JsonObject> {
  return (await caller.call('retrieveWebhookSubscription', { path: { subscription_id: id }, headers })).body
}

export function change(caller: Caller, id: string, body: object, headers: HeaderMap = {}): Promise<TestResponse> {
  return caller.call('updateWebhookSubscription', { path: { subscription_id: id }, body, headers })
}

/** The result of the last verification request, once it has ended. */
export async function lastVerification(caller: Caller, id: string): Promise<JsonObject> {
  return until(async () => {
    const { last_verification: last } = await retrieve(caller, id)
    return last === null ? undefined : (last as JsonObject)
  })
}

/** The settings that allow a server to send webhooks to these receivers. */
export function allowing(...receivers: readonly HookReceiver[]): Readonly<Record<string, string>> {
  return { WEBHOOK_PRIVATE_HOSTS: receivers.map(({ host }) => host.host).join(',') }
}
