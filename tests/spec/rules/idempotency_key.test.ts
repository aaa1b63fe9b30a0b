import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const key = { parameters: [{ name: 'Idempotency-Key', in: 'header' }] }

test('the rule idempotency-key accepts writes with an idempotency key, and reads without', async () => {
  expect(await findings('idempotency-key', withOperation(key, { method: 'post' }))).toEqual([])
  expect(await findings('idempotency-key', withOperation({}))).toEqual([])
  expect(
    await findings('idempotency-key', withOperation({ operationId: 'verifyWebhookSubscription' }, { method: 'post' })),
  ).toEqual([])
})

test('the rule idempotency-key rejects a write without an idempotency key, and a read with one', async () => {
  expect(await findings('idempotency-key', withOperation({}, { method: 'delete' }))).toEqual([
    'listNotes lacks the header Idempotency-Key',
  ])
  expect(await findings('idempotency-key', withOperation(key))).toHaveLength(1)
})
