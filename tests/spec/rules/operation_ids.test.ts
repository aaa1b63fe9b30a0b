import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const found = (operationId: string): Promise<string[]> => findings('operation-ids', withOperation({ operationId }))

test('accepts verbNoun', async () => {
  expect(await found('retrieveNote')).toEqual([])
  expect(await found('search')).toEqual([])
})

test('rejects other verbs and other spellings', async () => {
  expect(await found('getNote')).toHaveLength(1)
  expect(await found('retrieve_note')).toHaveLength(1)
})
