import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` })
const variant = (tag: string): object => ({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', const: tag } },
})
const union = {
  oneOf: [ref('Text'), ref('List')],
  discriminator: { propertyName: 'type', mapping: { text: ref('Text').$ref, list: ref('List').$ref } },
}
const found = (schemas: Record<string, object>): Promise<string[]> =>
  findings('tagged-unions', withSchemas({ Text: variant('text'), List: variant('list'), ...schemas }))

test('the rule tagged-unions accepts full mappings, several tags of one variant, full-or-partial unions and unions of values', async () => {
  expect(await found({ Any: union })).toEqual([])
  const several = {
    oneOf: [ref('Text')],
    discriminator: { propertyName: 'type', mapping: { a: ref('Text').$ref, b: ref('Text').$ref } },
  }
  expect(await found({ Any: several, Text: { required: ['type'], properties: { type: { enum: ['a', 'b'] } } } })).toEqual([])
  expect(await found({ Any: { oneOf: [ref('Text'), ref('PartialText')] }, PartialText: { type: 'object' } })).toEqual([])
  expect(await found({ Any: { oneOf: [ref('Text'), { type: 'string' }, { type: 'null' }] } })).toEqual([])
})

test('the rule tagged-unions rejects unions that tools cannot resolve', async () => {
  const mapping = { text: ref('Text').$ref }
  expect(await found({ Any: { ...union, discriminator: { propertyName: 'type', mapping } } })).toEqual([
    'List is missing in the mapping',
  ])
  expect(await found({ Any: union, List: variant('lists') })).toEqual(['List is mapped from list, but its type is lists'])
  expect(await found({ Any: union, List: { ...variant('list'), required: [] } })).toEqual(['List must require type'])
  expect(await found({ Any: union, List: { type: 'object', required: ['type'], allOf: [variant('list')] } })).toEqual([
    'List needs a constant type among its own properties',
  ])
  expect(await found({ Any: { oneOf: union.oneOf } })).toEqual(['A union of objects needs a discriminator or x-payload-union'])
})
