import { expect, test } from 'vitest'
import { findings, withOperation, withSchemas } from '../support/spectral.ts'

const words = { description: 'Words.' }
const about = (messages: string[]): string[] => messages.filter((message) => !/^(get|post) has no/.test(message))

test('the rule descriptions accepts described schemas; a property may inherit the description of its schema', async () => {
  const schemas = {
    Note: { ...words, type: 'object', properties: { color: { $ref: '#/components/schemas/Color' } } },
    Color: { ...words, type: 'string' },
  }
  expect(about(await findings('descriptions', withSchemas(schemas)))).toEqual([])
})

test('the rule descriptions rejects schemas, nested properties, parameters, headers and operations without a description', async () => {
  const nested = { Note: { ...words, type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } } }
  expect(about(await findings('descriptions', withSchemas({ Note: { type: 'object' } })))).toEqual(['Note has no description'])
  expect(about(await findings('descriptions', withSchemas(nested)))).toEqual(['a has no description'])
  expect(await findings('descriptions', withOperation({}))).toEqual(['get has no description'])
  expect(about(await findings('descriptions', withOperation({ parameters: [{ name: 'a', in: 'query' }] })))).toHaveLength(1)
  expect(about(await findings('descriptions', withOperation({}, { components: { headers: { Sunset: {} } } })))).toEqual([
    'Sunset has no description',
  ])
})
