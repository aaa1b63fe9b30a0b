import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const closed = { type: 'object', additionalProperties: false }

test('the rule open-responses accepts open responses and maps', async () => {
  expect(
    await findings(
      'open-responses',
      withSchemas({ Note: { type: 'object', additionalProperties: { type: 'string' } } }, 'response'),
    ),
  ).toEqual([])
  expect(await findings('open-responses', withSchemas({ Note: closed }, 'request'))).toEqual([])
})

test('the rule open-responses accepts a closed schema that a response returns as it was written', async () => {
  expect(
    await findings(
      'open-responses',
      withSchemas(
        { View: { properties: { filter: { $ref: '#/components/schemas/QueryFilter' } } }, QueryFilter: closed },
        'response',
      ),
    ),
  ).toEqual([])
})

test('the rule open-responses rejects closed objects at any depth', async () => {
  expect(await findings('open-responses', withSchemas({ Note: closed }, 'response'))).toHaveLength(1)
  expect(
    await findings(
      'open-responses',
      withSchemas({ Note: { properties: { a: { type: 'object', unevaluatedProperties: false } } } }, 'response'),
    ),
  ).toHaveLength(1)
})
