import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const key = { parameters: [{ name: 'Idempotency-Key', in: 'header' }] }

test('accepts the key on writes, and its absence on reads', async () => {
  expect(await findings('idempotency-key', withOperation(key, { method: 'post' }))).toEqual([])
  expect(await findings('idempotency-key', withOperation({}))).toEqual([])
  expect(
    await findings('idempotency-key', withOperation({ operationId: 'verifyWebhookSubscription' }, { method: 'post' })),
  ).toEqual([])
})

test('rejects a write without it and a read with it', async () => {
  expect(await findings('idempotency-key', withOperation({}, { method: 'delete' }))).toEqual([
    'listNotes lacks the header Idempotency-Key',
  ])
  expect(await findings('idempotency-key', withOperation(key))).toHaveLength(1)
})
