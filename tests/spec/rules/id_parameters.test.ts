import { expect, test } from 'vitest'
import { findings, withOperation } from '../support/spectral.ts'

const found = (name: string, schema: object): Promise<string[]> =>
  findings('id-parameters', withOperation({ parameters: [{ name, in: 'path', schema }] }))

test('the rule id-parameters accepts id parameters with a pattern of optional dashes, and ids that are not UUIDs', async () => {
  expect(await found('note_id', { type: 'string', pattern: '^[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}$' })).toEqual(
    [],
  )
  expect(await found('property_id', { type: 'string' })).toEqual([])
})

test('the rule id-parameters rejects id parameters with format uuid, a dashed pattern or no pattern', async () => {
  expect(await found('note_id', { type: 'string', format: 'uuid' })).toHaveLength(1)
  expect(
    await found('note_id', { type: 'string', pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' }),
  ).toHaveLength(1)
  expect(await found('note_id', { type: 'string' })).toEqual(['note_id must accept ids with and without dashes; use IdRequest'])
})
