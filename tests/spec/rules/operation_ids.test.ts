import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const found = (operationId: string): Promise<string[]> => findings('operation-ids', withOperation({ operationId }))

test('accepts verbNoun', async () => {
  expect(await found('retrieveNote')).toEqual([])
  expect(await found('search')).toEqual([])
})

test('rejects other verbs, other spellings and ids used twice', async () => {
  expect(await found('getNote')).toHaveLength(1)
  expect(await found('retrieve_note')).toHaveLength(1)
  const twice = {
    openapi: '3.1.1',
    paths: { '/a': { get: { operationId: 'listNotes' } }, '/b': { get: { operationId: 'listNotes' } } },
  }
  expect(await findings('operation-ids', twice)).toEqual(['listNotes is the id of two operations'])
})
