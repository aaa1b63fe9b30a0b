import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

test('the rule required-properties accepts required keys that the schema or its base describes, and conditions', async () => {
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

test('the rule required-properties rejects a required key without a description', async () => {
  expect(await findings('required-properties', withSchemas({ Note: { required: ['a'], properties: {} } }))).toEqual([
    'a is required, but not described',
  ])
})

test('the rule required-properties suggests the described key that was probably meant', async () => {
  const schemas = { Note: { required: ['titel'], properties: { text: {}, title: {} } } }
  expect(await findings('required-properties', withSchemas(schemas))).toEqual([
    'titel is required, but not described, did you mean `title`?',
  ])
})

test('the rule required-properties rejects x-required-since for a key that is not required', async () => {
  const schemas = {
    Note: { required: ['a'], properties: { a: {}, b: {} }, 'x-required-since': { a: '2025-09-03', b: '2025-09-03' } },
  }
  expect(await findings('required-properties', withSchemas(schemas))).toEqual(['b is not required'])
})

test('the rule required-properties rejects an undescribed key that a base requires, unless the extending schema describes it', async () => {
  const schemas = {
    Note: { allOf: [{ $ref: '#/components/schemas/Base' }], properties: { c: {} } },
    Base: { required: ['a', 'b', 'c'], properties: { a: {} } },
  }
  expect(await findings('required-properties', withSchemas(schemas))).toEqual(['b is required, but not described'])
})
