/** Each rule of the forms for client generators, with the smallest document that it changes. */

import { describe, expect, test } from 'vitest'
import type { Schema } from '../../scripts/generate/document.ts'
import { nameInlineEnums, nameInlineObjects, renameOwnNames, withoutUnused } from '../../scripts/generate/sdk/names.ts'
import { mergeUnions } from '../../scripts/generate/sdk/unions.ts'
import { documentOf, object, ref, text } from './support/sdk.ts'

describe('a union in the form for client generators', () => {
  const merged = (schemas: Record<string, Schema>): Record<string, Schema> =>
    mergeUnions(documentOf(schemas)).components.schemas ?? {}

  test('of a full and a partial object becomes one object, which requires the keys that both require', () => {
    const { NoteOrPartial } = merged({
      NoteOrPartial: { description: 'A note.', oneOf: [ref('Note'), ref('PartialNote')] },
      Note: object({ id: text, title: text }, 'id', 'title'),
      PartialNote: object({ id: text }, 'id'),
    })
    expect(NoteOrPartial).toEqual({ description: 'A note.', ...object({ id: text, title: text }, 'id') })
  })

  test('within a union is flattened', () => {
    const { Any } = merged({
      Any: { oneOf: [ref('Some'), ref('C')] },
      Some: { oneOf: [ref('A'), ref('B')] },
      A: object({ a: text }),
      B: object({ b: text }),
      C: object({ c: text }),
    })
    expect(Any).toEqual(object({ a: text, b: text, c: text }))
  })

  test('of tagged objects has all tags, and is closed if all are', () => {
    const tagged = (tag: string): Schema => ({
      ...object({ type: { ...text, enum: [tag] } }, 'type'),
      additionalProperties: false,
    })
    const { Item } = merged({ Item: { oneOf: [ref('A'), ref('B')] }, A: tagged('a'), B: tagged('b') })
    expect(Item).toEqual({ ...object({ type: { ...text, enum: ['a', 'b'] } }, 'type'), additionalProperties: false })
  })

  test("makes a union of the types that its variants give one property, named after the union's location", () => {
    const { Item, ItemData } = merged({
      Item: { oneOf: [ref('A'), ref('B')] },
      A: object({ data: ref('AData'), size: text }),
      B: object({ data: ref('BData'), size: { type: 'integer' } }),
      AData: object({ a: text }),
      BData: object({ b: text }),
    })
    expect(Item).toEqual(object({ data: ref('ItemData'), size: {} }))
    expect(ItemData).toEqual(object({ a: text, b: text }))
  })

  test('that refers to itself becomes one object that refers to itself', () => {
    const { Filter } = merged({
      Filter: { oneOf: [ref('And'), ref('Leaf')] },
      And: object({ and: { type: 'array', items: { oneOf: [ref('And'), ref('Leaf')] } } }),
      Leaf: object({ is: text }),
    })
    expect(Filter).toEqual(object({ and: { type: 'array', items: ref('Filter') }, is: text }))
  })

  test('with null becomes nullable, and one of text and list accepts any value', () => {
    const { Holder } = merged({
      Holder: object({
        icon: { oneOf: [ref('Icon'), { type: 'null' }] },
        value: { oneOf: [text, { type: 'array', items: text }] },
      }),
      Icon: object({ name: text }),
    })
    expect(Holder).toEqual(object({ icon: { ...ref('Icon'), nullable: true }, value: {} }))
  })

  test('of lists becomes a list of either kind of item', () => {
    const list = (items: Schema): Schema => ({ type: 'array', items })
    const { Holder } = merged({
      Holder: object({ names: { oneOf: [list(ref('A')), list(ref('B'))] } }),
      A: { ...text, enum: ['a'] },
      B: { ...text, enum: ['b'] },
    })
    expect(Holder).toEqual(object({ names: list({ ...text, enum: ['a', 'b'] }) }))
  })
})

test('in the form for client generators, `allOf` is one object, whose own properties narrow those of its base', () => {
  const { schemas = {} } = mergeUnions(
    documentOf({
      Base: object({ object: text, has_more: { type: 'boolean' } }, 'object'),
      List: {
        allOf: [ref('Base')],
        ...object({ object: { ...text, enum: ['list'] }, results: { type: 'array', items: ref('Base') } }, 'results'),
      },
    }),
  ).components
  expect(schemas['List']).toEqual(
    object(
      { object: { ...text, enum: ['list'] }, has_more: { type: 'boolean' }, results: { type: 'array', items: ref('Base') } },
      'object',
      'results',
    ),
  )
})

test('in the form for client generators, named texts and lists are inlined, with the description of their location', () => {
  const { schemas = {} } = mergeUnions(
    documentOf({
      Id: { ...text, format: 'uuid', description: 'An id.' },
      Ids: { type: 'array', items: ref('Id') },
      Holder: object({ id: { ...ref('Id'), description: 'The id of the note.' }, ids: ref('Ids') }),
    }),
  ).components
  expect(schemas['Holder']).toEqual(
    object({
      id: { ...text, format: 'uuid', description: 'The id of the note.' },
      ids: { type: 'array', items: { ...text, format: 'uuid', description: 'An id.' } },
    }),
  )
})

test('in the form for client generators, inline objects are named after their location', () => {
  const { schemas } = nameInlineObjects(
    documentOf({ Note: object({ place: { ...object({ city: text }), nullable: true } }) }),
  ).components
  expect(schemas).toEqual({ Note: object({ place: { ...ref('NotePlace'), nullable: true } }), NotePlace: object({ city: text }) })
})

test('in the form for client generators, inline choices are named after their location, or like equal values in the contract', () => {
  const choice = (...words: string[]): Schema => ({ ...text, enum: words })
  const { schemas } = nameInlineEnums(
    documentOf({ Color: choice('red', 'blue'), Note: object({ color: choice('blue', 'red'), state: choice('on', 'off') }) }),
  ).components
  expect(schemas).toEqual({
    Color: choice('red', 'blue'),
    Note: object({ color: ref('Color'), state: ref('NoteState') }),
    NoteState: choice('on', 'off'),
  })
})

test("in the form for client generators, a schema with a property of the schema's name is renamed", () => {
  const { schemas } = renameOwnNames(
    documentOf({ DueDate: object({ due_date: text }), Note: object({ due: ref('DueDate') }) }),
  ).components
  expect(schemas).toEqual({ DueDateObject: object({ due_date: text }), Note: object({ due: ref('DueDateObject') }) })
})

test('the form for client generators omits unused components, even those that refer to each other', () => {
  const { components } = withoutUnused(
    documentOf(
      { Used: object({ inner: ref('Inner') }), Inner: text, A: object({ b: ref('B') }), B: object({ a: ref('A') }) },
      { paths: { '/v1/notes': { parameters: [{ name: 'note', in: 'query', schema: ref('Used') }] } } },
    ),
  )
  expect(Object.keys(components.schemas ?? {})).toEqual(['Used', 'Inner'])
})
