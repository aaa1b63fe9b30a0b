import { expect, test } from 'vitest'
import { findings, withOperation, withSchemas } from '../support/spectral.ts'

const found = (...schemas: object[]): Promise<string[]> =>
  findings('branded-values', withSchemas(Object.fromEntries(schemas.map((schema, index) => [`Note${index}`, schema]))))
const branded = { description: 'Always `tide_ai`.', const: 'tide_ai', 'x-branded': { tide_ai: '{brand}_ai' } }

test('the rule branded-values accepts branded forms of a constant, an enum and a pattern', async () => {
  const { const: _, ...open } = branded
  expect(await found(branded, { ...open, enum: ['other', 'tide_ai'] }, { ...open, pattern: '^(?:tide_ai|[0-9]+)$' })).toEqual([])
  expect(
    await found({ ...branded, const: 'tide', description: '`tide`', 'x-branded': { tide: '{brand}' } }, { const: 'tide' }),
  ).toEqual([])
})

test('the rule branded-values rejects branded forms without values or the brand, and values that the description does not name', async () => {
  expect(await found({ ...branded, 'x-branded': true })).toEqual(['`x-branded` maps values to their forms'])
  expect(await found({ ...branded, 'x-branded': {} })).toEqual(['`x-branded` maps values to their forms'])
  expect(await found({ ...branded, const: 'other' })).toEqual(['`tide_ai` is not a value of this schema'])
  expect(await found({ ...branded, 'x-branded': { tide_ai: 'moon_ai' } })).toEqual(['The form of `tide_ai` needs `{brand}`'])
  expect(await found({ ...branded, description: 'A constant.' })).toEqual(['The description does not name `tide_ai`'])
})

test('the rule branded-values rejects an unmarked branded value, even in a parameter', async () => {
  const message = '`tide_ai` is marked by `x-branded` elsewhere'
  expect(await found(branded, { properties: { kind: { enum: ['tide_ai'] } } })).toEqual([message])
  const parameters = [{ name: 'kind', in: 'query', schema: { type: 'array', items: { enum: ['tide_ai'] } } }]
  const document = withOperation({ responses: {} }, { parameters, components: { schemas: { Note: branded } } })
  expect(await findings('branded-values', document)).toEqual([message])
})
