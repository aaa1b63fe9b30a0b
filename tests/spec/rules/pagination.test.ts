import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const keys = { object: {}, type: {}, results: { type: 'array' }, has_more: {}, next_cursor: {} }
const response = (properties: object): object => ({
  responses: {
    200: {
      description: 'Fine.',
      content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
    },
  },
})
const parameters = ['start_cursor', 'page_size'].map((name) => ({ name, in: 'query' }))
const rule = { 'x-pagination': { in: 'query', items: 'results', shape: 'list' } }
const found = (operation: object): Promise<string[]> => findings('pagination', withOperation(operation))

test('the rule pagination accepts lists in the query and in the body, and operations that are not lists', async () => {
  const requestBody = { content: { 'application/json': { schema: { properties: { start_cursor: {}, page_size: {} } } } } }
  expect(await found({ ...rule, parameters, ...response(keys) })).toEqual([])
  expect(
    await found({ 'x-pagination': { in: 'body', items: 'results', shape: 'list' }, requestBody, ...response(keys) }),
  ).toEqual([])
  expect(await found(response({ object: {} }))).toEqual([])
})

test('the rule pagination rejects missing parameters, missing keys, and a cursor without x-pagination', async () => {
  const { next_cursor: _gone, ...withoutCursor } = keys
  expect(await found({ ...rule, ...response(keys) })).toEqual([
    'listNotes: lacks start_cursor in the query',
    'listNotes: lacks page_size in the query',
  ])
  expect(await found({ ...rule, parameters, ...response(withoutCursor) })).toHaveLength(1)
  expect(await found({ parameters, ...response(keys) })).toEqual(['listNotes: accepts a cursor, but has no x-pagination'])
  expect(
    await found({ 'x-pagination': { in: 'query', items: 'results', shape: 'heap' }, parameters, ...response(keys) }),
  ).toHaveLength(1)
})
