import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const found = (schema: object): Promise<string[]> => findings('nonempty-strings', withSchemas({ Name: schema }, 'request'))

test('the rule nonempty-strings accepts strings that cannot be empty, or whose description covers the empty string', async () => {
  expect(await found({ type: 'string', minLength: 1 })).toEqual([])
  expect(await found({ type: 'string', enum: ['a'] })).toEqual([])
  expect(await found({ type: 'string', pattern: '^[a-z]+$' })).toEqual([])
  expect(await found({ type: 'string', format: 'date' })).toEqual([])
  expect(await found({ type: 'string', description: 'A text; empty to clear it.' })).toEqual([])
})

test('the rule nonempty-strings rejects other strings that may be empty', async () => {
  expect(await found({ type: 'string' })).toHaveLength(1)
  expect(await found({ type: ['string', 'null'], maxLength: 5 })).toHaveLength(1)
  expect(await found({ type: 'string', pattern: '^[a-z]*$' })).toHaveLength(1)
  expect(await found({ type: 'string', enum: ['', 'a'] })).toHaveLength(1)
})
