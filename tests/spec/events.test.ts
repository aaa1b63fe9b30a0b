import { expect, test } from 'vitest'
import { readPublicDocument } from './support/public_document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

// If you are here because the lists differ: an event is missing in `webhooks`, in `WebhookEventType` or in the mapping of `WebhookEvent`.
test('every event has an entry in `webhooks`, a value in WebhookEventType and a payload in WebhookEvent', async () => {
  const { webhooks, components: { schemas = {} } = {} } = await readPublicDocument()
  const sent = Object.keys(isObject(webhooks) ? webhooks : {})
    // The request that verifies an address, which is not an event.
    .filter((name) => name !== 'verification')
    .toSorted()
  const types = schemas['WebhookEventType']?.['enum']
  const payloads = schemas['WebhookEvent']?.['discriminator']
  expect(sent.length).toBeGreaterThan(0)
  expect(Array.isArray(types) ? types.toSorted() : types).toEqual(sent)
  expect(isObject(payloads) && isObject(payloads['mapping']) && Object.keys(payloads['mapping']).toSorted()).toEqual(sent)
})
