import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const found = (operationId: string): Promise<string[]> => findings('operation-ids', withOperation({ operationId }))

test('the rule operation-ids accepts an operationId of the form verbNoun', async () => {
  expect(await found('retrieveNote')).toEqual([])
  expect(await found('search')).toEqual([])
})

test('the rule operation-ids rejects an operationId with another verb or spelling', async () => {
  expect(await found('getNote')).toHaveLength(1)
  expect(await found('retrieve_note')).toHaveLength(1)
})
