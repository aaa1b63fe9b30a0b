import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const answers = (...statuses: number[]): object => ({
  responses: Object.fromEntries(statuses.map((status) => [status, { description: 'Words.' }])),
})

test('accepts the complete set', async () => {
  expect(await findings('error-set', withOperation(answers(200, 400, 401, 403, 429, 500, 503, 529)))).toEqual([])
})

test('rejects an incomplete one', async () => {
  expect(await findings('error-set', withOperation(answers(200, 400, 401, 403, 429, 500)))).toEqual([
    'listNotes lacks the answers 503, 529',
  ])
  expect(
    await findings('error-set', withOperation({ 'x-credentials': 'client', ...answers(400, 401, 403, 429, 500, 503, 529) })),
  ).toEqual(['listNotes lacks the answers below 400'])
})
