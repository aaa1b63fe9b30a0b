import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const reference = { $ref: '#/components/schemas/Base' }
const Base = { type: 'object', description: 'A base.', properties: { name: { type: 'string' } } }

/** Every keyword of JSON Schema 2020-12 that constrains a value. */
const constraints: Record<string, unknown> = {
  type: 'object',
  enum: [{}],
  const: {},
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1 } },
  patternProperties: { '^x': {} },
  additionalProperties: false,
  unevaluatedProperties: false,
  propertyNames: { maxLength: 3 },
  minProperties: 1,
  maxProperties: 2,
  dependentRequired: { name: ['other'] },
  dependentSchemas: { name: {} },
  items: {},
  prefixItems: [{}],
  unevaluatedItems: false,
  contains: {},
  minContains: 1,
  maxContains: 2,
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  minLength: 1,
  maxLength: 2,
  pattern: 'a',
  format: 'date',
  contentMediaType: 'text/plain',
  contentEncoding: 'base64',
  minimum: 1,
  maximum: 2,
  exclusiveMinimum: 1,
  exclusiveMaximum: 2,
  multipleOf: 2,
  allOf: [{}],
  anyOf: [{}],
  oneOf: [{}],
  not: {},
  if: {},
  then: {},
  else: {},
}

test.each(Object.entries(constraints))('the rule reference-siblings rejects %s beside $ref', async (keyword, value) => {
  const schemas = { Note: { type: 'object', properties: { base: { ...reference, [keyword]: value } } }, Base }
  expect(await findings('reference-siblings', withSchemas(schemas))).toEqual([
    `${keyword} beside $ref is lost in types and clients: put both into an allOf`,
  ])
})

test.each(['items', 'allOf', 'oneOf', 'additionalProperties', 'component'])(
  'the rule reference-siblings finds a constraint beside $ref in %s',
  async (location) => {
    const base = { ...reference, required: ['name'] }
    const holders = { items: { items: base }, allOf: { allOf: [base] }, oneOf: { oneOf: [base] }, component: base }
    const schemas = { Note: { ...holders, additionalProperties: { additionalProperties: base } }[location] ?? {}, Base }
    expect(await findings('reference-siblings', withSchemas(schemas))).toHaveLength(1)
  },
)

test('the rule reference-siblings accepts annotations and extension fields beside $ref, and a property or example with such a name', async () => {
  const schemas = {
    Note: {
      type: 'object',
      properties: {
        base: { ...reference, description: 'Its base.', default: {}, deprecated: true, readOnly: true, 'x-secret': true },
        enum: reference,
      },
      examples: [{ $ref: '#/components/schemas/Base', required: true }],
    },
    Base,
  }
  expect(await findings('reference-siblings', withSchemas(schemas))).toEqual([])
})
