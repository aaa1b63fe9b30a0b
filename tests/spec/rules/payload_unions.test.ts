import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
const union = { 'x-payload-union': true, oneOf: [ref('Text'), ref('Plain')] }
const text = {
  type: 'object',
  'x-payload-key': 'text',
  required: ['text'],
  properties: { type: { const: 'text' }, text: {} },
  additionalProperties: false,
}
const plain = { type: 'object', properties: {}, additionalProperties: false }
const found = (schemas: Record<string, object>): Promise<string[]> =>
  findings('payload-unions', withSchemas({ Any: union, Plain: plain, ...schemas }))

test('the rule payload-unions accepts closed variants that have a payload key, one variant without, and a base by allOf', async () => {
  expect(await found({ Text: text })).toEqual([])
  expect(
    await found({
      Text: { 'x-payload-key': 'text', required: ['text'], allOf: [ref('Base')], unevaluatedProperties: false },
      Base: { properties: { text: {} } },
    }),
  ).toEqual([])
})

test('the rule payload-unions rejects variants that their keys do not distinguish', async () => {
  expect(await found({ Text: { ...text, additionalProperties: true } })).toEqual(['Text must be closed'])
  expect(await found({ Text: { ...text, required: [] } })).toEqual(['Text must require text'])
  expect(await found({ Text: { ...text, 'x-payload-key': 'words' } })).toEqual([
    'Text lacks its payload key words',
    'Text must require words',
  ])
  expect(await found({ Text: { ...text, required: ['text', 'type'] } })).toEqual(['Text: type must be optional'])
  expect(await found({ Text: plain })).toEqual(['At most one variant may lack x-payload-key'])
  expect(await found({ Text: text, Plain: text })).toEqual(['Two variants have the payload key text'])
})
