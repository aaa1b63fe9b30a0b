import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const found = (schemas: Record<string, object>): Promise<string[]> => findings('closed-requests', withSchemas(schemas, 'request'))
const inner = { $ref: '#/components/schemas/Inner' }

test('the rule closed-requests accepts closed objects, maps, parts of allOf and conditions', async () => {
  expect(await found({ Note: { type: 'object', properties: { a: {} }, additionalProperties: false } })).toEqual([])
  expect(await found({ Note: { type: 'object', additionalProperties: { type: 'string' } } })).toEqual([])
  expect(
    await found({ Note: { type: 'object', allOf: [inner], unevaluatedProperties: false }, Inner: { type: 'object' } }),
  ).toEqual([])
  expect(
    await found({
      Note: { type: 'object', additionalProperties: false, allOf: [{ if: { properties: { a: { type: 'object' } } } }] },
    }),
  ).toEqual([])
})

test('the rule closed-requests rejects open objects in requests, at any depth', async () => {
  expect(await found({ Note: { type: 'object', properties: {} } })).toHaveLength(1)
  expect(await found({ Note: { type: 'array', items: inner }, Inner: { type: ['object', 'null'] } })).toEqual([
    'An object in a request must be closed',
  ])
})

test('the rule closed-requests ignores open objects in responses', async () => {
  expect(await findings('closed-requests', withSchemas({ Note: { type: 'object' } }, 'response'))).toEqual([])
})
