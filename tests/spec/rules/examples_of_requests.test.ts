import { expect, test } from 'vitest'
import { findings, withSchemas } from '../support/spectral.ts'

const found = (schema: object): Promise<string[]> =>
  findings('examples-of-requests', withSchemas({ Name: { type: 'string', ...schema } }, 'request'))

test('the rule examples-of-requests accepts a request schema without an example of its own', async () => {
  expect(await found({})).toEqual([])
})

test('the rule examples-of-requests rejects a request schema with an example of its own', async () => {
  expect(await found({ example: 'Tide table' })).toHaveLength(1)
  expect(await found({ examples: ['Tide table'] })).toHaveLength(1)
})
