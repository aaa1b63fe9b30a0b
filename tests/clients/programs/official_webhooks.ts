import assert from 'node:assert/strict'
import { idOf, parseObject, textAt } from '../../harness/json.ts'
import type { Delivery } from '../receiver.ts'
import { asRecord } from '../install.ts'
import { methodAt } from '../run.ts'
import { text, type Official } from './official_client.ts'
import type { Setting } from './program.ts'

/** Receives webhooks, and verifies them with the client's own helper. */
export async function receiveWebhooks(client: Official, parent: string, { service, client: entry }: Setting): Promise<void> {
  const { receiver } = service
  const path = `/${entry.version}/${entry.protocol}`
  const request = (path: string, method: string, body: object): unknown =>
    methodAt(client.client, 'request')?.({ path, method, body })
  const name = 'verifyWebhookSignature'
  const isGenuine = async ({ body, headers }: Delivery, verificationToken: string, sent: Uint8Array = body): Promise<unknown> =>
    methodAt(client.exports, name)?.({ body: sent, signature: headers['x-notion-signature'], verificationToken })
  const made = asRecord(
    await request('webhook_subscriptions', 'post', { url: receiver.url(path), event_types: ['page.created'] }),
  )
  const first = await receiver.delivery(path, 'verification_token')
  const token = textAt(parseObject(first.body.toString()), 'verification_token')
  await client.run.value(`${name}, token`, async () => assert.equal(await isGenuine(first, token), true))
  await request(`webhook_subscriptions/${String(made['id'])}/verify`, 'post', { verification_token: token })
  const page = await client.call('pages.create', { parent: { page_id: parent }, properties: { title: text('Told') } })
  const event = await receiver.delivery(path, idOf(page))
  await client.run.value(`${name}, event`, async () => assert.equal(await isGenuine(event, token), true))
  const changed = Buffer.from(event.body.toString().replace('page.created', 'page.deleted'))
  await client.run.value(`${name}, forged`, async () => assert.equal(await isGenuine(event, token, changed), false))
}
