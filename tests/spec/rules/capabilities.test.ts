import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const components = { securitySchemes: { oauth2: { flows: { authorizationCode: { scopes: { read_content: 'Read.' } } } } } }
const found = (rule?: unknown): Promise<string[]> =>
  findings('capabilities', withOperation({ 'x-capability': rule }, { components }))

test('the rule capabilities accepts an x-capability of scopes or none', async () => {
  expect(await found({ all: ['read_content'] })).toEqual([])
  expect(await found({ any: ['read_content'] })).toEqual([])
  expect(await found('none')).toEqual([])
})

test('the rule capabilities rejects an x-capability that is missing, malformed or not a scope', async () => {
  expect(await found()).toHaveLength(1)
  expect(await found({ all: [] })).toHaveLength(1)
  expect(await found({ all: ['read_minds'] })).toEqual(['listNotes: x-capability names read_minds, which is not a scope'])
})
