import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const responses = (...statuses: number[]): object => ({
  responses: Object.fromEntries(statuses.map((status) => [status, { description: 'Words.' }])),
})

test('the rule error-set accepts an operation with the complete set of errors', async () => {
  expect(await findings('error-set', withOperation(responses(200, 400, 401, 403, 429, 500, 503, 529)))).toEqual([])
})

test('the rule error-set rejects an operation with an incomplete set of errors', async () => {
  expect(await findings('error-set', withOperation(responses(200, 400, 401, 403, 429, 500)))).toEqual([
    'listNotes lacks the responses 503, 529',
  ])
  expect(
    await findings('error-set', withOperation({ 'x-credentials': 'client', ...responses(400, 401, 403, 429, 500, 503, 529) })),
  ).toEqual(['listNotes lacks the responses below 400'])
})
