import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const found = (schema: object): Promise<string[]> => findings('array-items', withSchemas({ Note: schema }))

test('the rule array-items accepts arrays with items or a tuple, and conditions', async () => {
  expect(await found({ type: 'array', items: {} })).toEqual([])
  expect(await found({ type: 'array', prefixItems: [{}] })).toEqual([])
  expect(await found({ oneOf: [{ type: 'string' }], not: { type: 'array' }, if: { type: 'array' } })).toEqual([])
  expect(await found({ properties: { type: { const: 'array' } }, examples: [{ type: 'array' }] })).toEqual([])
})

test('the rule array-items rejects arrays without items anywhere in a schema', async () => {
  const array = { type: 'array' }
  for (const schema of [
    array,
    { type: ['array', 'null'] },
    { properties: { list: array } },
    { items: array },
    { oneOf: [{ type: 'null' }, array] },
    { additionalProperties: array },
  ])
    expect(await found(schema), JSON.stringify(schema)).toEqual(['An array needs items'])
})

test('the rule array-items rejects arrays without items in parameters, headers, bodies and responses', async () => {
  const content = { 'application/json': { schema: { type: 'array' } } }
  const inline = { schema: { type: 'array' } }
  const responses = { '200': { headers: { Link: inline }, content } }
  const get = { parameters: [{ name: 'ids', in: 'query', ...inline }], requestBody: { content }, responses }
  const document = { openapi: '3.1.1', paths: { '/notes': { get } } }
  expect(await findings('array-items', document)).toHaveLength(4)
})
