import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const note = { type: 'object', required: ['object'], properties: { object: { const: 'note' } } }
const found = (schemas: Record<string, object>): Promise<string[]> =>
  findings('object-constant', withSchemas(schemas, 'response'))

test('the rule object-constant accepts responses that require a constant object type, in every variant or by a base', async () => {
  expect(await found({ Note: note })).toEqual([])
  expect(
    await found({
      Any: { oneOf: [{ $ref: '#/components/schemas/Note' }, { type: 'null' }] },
      Note: { allOf: [{ $ref: '#/components/schemas/Base' }] },
      Base: note,
    }),
  ).toEqual([])
})

test('the rule object-constant rejects a response without a required constant object type', async () => {
  expect(await found({ Note: { ...note, required: [] } })).toHaveLength(1)
  expect(
    await found({ Note: { type: 'object', required: ['object'], properties: { object: { type: 'string' } } } }),
  ).toHaveLength(1)
  expect(await found({ Any: { oneOf: [note, { type: 'object' }] } })).toHaveLength(1)
})
