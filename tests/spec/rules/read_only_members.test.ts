import { expect, test } from 'vitest'
import { findings } from '../support/spectral.ts'

const note = {
  type: 'object',
  required: ['object', 'id', 'created_time'],
  properties: { object: { const: 'page' }, id: {}, created_time: {}, title: {} },
}
const base = { type: 'object', properties: { object: {}, id: { readOnly: true }, created_time: {} } }
const whole = { allOf: [{ $ref: '#/components/schemas/Base' }], properties: { title: {} } }

function found(operationId: string, request: object, response: object = note): Promise<string[]> {
  const content = (schema: object): object => ({ 'application/json': { schema } })
  return findings('read-only-members', {
    paths: {
      '/v1/notes': {
        patch: { operationId, requestBody: { content: content(request) }, responses: { 200: { content: content(response) } } },
      },
    },
    components: { schemas: { Base: base } },
  })
}

test('the rule read-only-members accepts a body with every member of the record, including those of a base, in every variant', async () => {
  expect(await found('updateNote', whole)).toEqual([])
  expect(
    await found('updateNote', { oneOf: [whole, whole] }, { oneOf: [note, { properties: { object: { const: 'page' } } }] }),
  ).toEqual([])
})

test('the rule read-only-members rejects a body, or a variant of one, that lacks a member', async () => {
  expect(await found('updateNote', base)).toHaveLength(1)
  expect(await found('createNote', { oneOf: [whole, base] })).toHaveLength(1)
})

test('the rule read-only-members ignores other operations and other records', async () => {
  expect(await found('moveNote', base)).toEqual([])
  expect(await found('updateNote', base, { ...note, properties: { ...note.properties, object: { const: 'user' } } })).toEqual([])
})
