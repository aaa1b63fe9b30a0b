import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

test('accepts required keys that the schema or its base describes, and conditions', async () => {
  const schemas = {
    Note: {
      required: ['a', 'b'],
      allOf: [{ $ref: '#/components/schemas/Base' }],
      properties: { a: {} },
      if: { required: ['c'] },
      not: { required: ['d'] },
    },
    Base: { properties: { b: {} } },
  }
  expect(await findings('required-properties', withSchemas(schemas))).toEqual([])
})

test('rejects a required key that nothing describes', async () => {
  expect(await findings('required-properties', withSchemas({ Note: { required: ['a'], properties: {} } }))).toEqual([
    'a is required, but not described',
  ])
})
