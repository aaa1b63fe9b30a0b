import { expect, test } from 'vitest'
import { findings } from '../support/spectral.ts'

const found = (components: object): Promise<string[]> => findings('component-names', { openapi: '3.1.1', paths: {}, components })

test('the rule component-names accepts unique PascalCase names of components', async () => {
  expect(await found({ schemas: { Note: {}, Heading1Block: {} }, examples: { RetrieveNote: {} } })).toEqual([])
})

test('the rule component-names rejects components with other spellings, numbers at the end and shared names', async () => {
  expect(await found({ schemas: { note_block: {} } })).toEqual(['note_block is not PascalCase'])
  expect(await found({ schemas: { Note2: {} } })).toEqual(['Note2 ends in a number'])
  expect(await found({ schemas: { Note: {} }, examples: { Note: {} } })).toEqual(['Note is also the name of one of the schemas'])
})
