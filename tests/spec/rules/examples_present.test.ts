import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const response = (media: object): object =>
  withOperation({ responses: { 200: { description: 'Fine.', content: { 'application/json': media } } } })

test('the rule examples-present accepts a response with an example', async () => {
  expect(await findings('examples-present', response({ examples: { a: { value: 1 } } }))).toEqual([])
})

test('the rule examples-present rejects responses, request bodies and events without an example', async () => {
  expect(await findings('examples-present', response({}))).toEqual(['listNotes has no example for application/json'])
  expect(
    await findings('examples-present', withOperation({ requestBody: { content: { 'application/json': {} } } })),
  ).toHaveLength(1)
  const events = {
    openapi: '3.1.1',
    paths: {},
    webhooks: { created: { post: { requestBody: { content: { 'application/json': { examples: {} } } } } } },
  }
  expect(await findings('examples-present', events)).toHaveLength(1)
})
