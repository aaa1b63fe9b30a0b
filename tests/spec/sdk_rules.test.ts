/** Each rule of the forms for generators of clients, on the smallest schema or document that shows it. */

import { describe, expect, test } from 'vitest'
import type { Document, MediaType, Schema } from '../../scripts/generate/document.ts'
import * as keywords from '../../scripts/generate/sdk/keywords.ts'
import { nameInlineEnums, nameInlineObjects, renameOwnNames, withoutUnused } from '../../scripts/generate/sdk/names.ts'
import {
  headFor30,
  oneErrorShape,
  oneToken,
  shortHead,
  streamsAsText,
  webhooksApart,
  withoutExamples,
} from '../../scripts/generate/sdk/operations.ts'
import { mergeUnions } from '../../scripts/generate/sdk/unions.ts'

const text: Schema = { type: 'string' }
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
})
const documentOf = (schemas: Record<string, Schema>, rest: Partial<Document> = {}): Document => ({
  openapi: '3.1.1',
  info: { title: 'Notes', version: '1' },
  paths: {},
  components: { schemas },
  ...rest,
})

describe('a schema', () => {
  const rows: [string, keywords.SchemaRule, Schema, Schema][] = [
    [
      'loses conditions, and closes its object in the older way',
      keywords.withoutConditions,
      { ...object({ a: text }), if: { required: ['a'] }, then: { required: ['b'] }, not: {}, unevaluatedProperties: false },
      { ...object({ a: text }), additionalProperties: false },
    ],
    [
      'loses parts of `allOf` that were conditions',
      keywords.everywhere(keywords.withoutConditions),
      { ...object({ a: text }), allOf: [{ if: { required: ['a'] }, then: { required: ['b'] } }] },
      object({ a: text }),
    ],
    [
      'has no properties that are true or false',
      keywords.withoutBooleanSchemas,
      { type: 'object', properties: { anything: true, never: false }, additionalProperties: true },
      object({ anything: {} }),
    ],
    ['with a constant text is an enum of one', keywords.plainConstants, { const: 'page' }, { ...text, enum: ['page'] }],
    ['with a constant boolean is any boolean', keywords.plainConstants, { type: 'boolean', const: true }, { type: 'boolean' }],
    ['with an enum of numbers is any number', keywords.plainConstants, { type: 'integer', enum: [1, 2] }, { type: 'integer' }],
    [
      'has a format or a pattern',
      keywords.oneFormat,
      { ...text, format: 'uuid', pattern: '^[0-9a-f-]{36}$' },
      { ...text, format: 'uuid' },
    ],
    [
      'of bytes has no length',
      keywords.unmeasuredBytes,
      { ...text, format: 'binary', minLength: 1, maxLength: 100 },
      { ...text, format: 'binary' },
    ],
    [
      'keeps its pattern where the format is this contract’s own',
      keywords.oneFormat,
      { ...text, format: 'link-url', pattern: '^h' },
      { ...text, pattern: '^h' },
    ],
    [
      'tells a large integer from a small one',
      keywords.everywhere(keywords.sizedNumbers),
      object({ bytes: { type: 'integer' }, columns: { type: 'integer', maximum: 12 }, share: { type: ['number', 'null'] } }),
      object({
        bytes: { type: 'integer', format: 'int64' },
        columns: { type: 'integer', maximum: 12, format: 'int32' },
        share: { type: ['number', 'null'], format: 'double' },
      }),
    ],
    [
      'loses fields for the tools of this project, not properties called so',
      keywords.everywhere(keywords.withoutHouseFields),
      { ...object({ title: text, examples: text }), title: 'Note', 'x-retry': 'never', examples: [] },
      object({ title: text, examples: text }),
    ],
    [
      'says in 3.0 by a flag that a limit is excluded',
      keywords.spelledFor30(String),
      { exclusiveMinimum: 0 },
      { minimum: 0, exclusiveMinimum: true },
    ],
    [
      'says in 3.0 in a wrapper with a type that a reference may be null',
      keywords.spelledFor30(() => 'object'),
      { ...ref('Icon'), nullable: true, description: 'Or null.' },
      { type: 'object', nullable: true, description: 'Or null.', allOf: [ref('Icon')] },
    ],
    [
      'has no default beside a reference',
      keywords.spelledFor30(() => 'string'),
      { ...ref('Color'), nullable: true, default: 'blue' },
      { type: 'string', nullable: true, allOf: [ref('Color')] },
    ],
    [
      'says in 3.1 by a type that it may be null',
      keywords.spelledFor31,
      { ...text, nullable: true },
      { type: ['string', 'null'] },
    ],
    [
      'says in 3.1 by a variant that a reference may be null',
      keywords.spelledFor31,
      { ...ref('Icon'), nullable: true },
      { oneOf: [ref('Icon'), { type: 'null' }] },
    ],
  ]
  test.each(rows)('%s', (_title, rule, before, after) => expect(rule(before)).toEqual(after))
})

describe('a union', () => {
  const merged = (schemas: Record<string, Schema>): Record<string, Schema> =>
    mergeUnions(documentOf(schemas)).components.schemas ?? {}

  test('of a full and a partial object is one object, which requires what both require', () => {
    const { NoteOrPartial } = merged({
      NoteOrPartial: { description: 'A note.', oneOf: [ref('Note'), ref('PartialNote')] },
      Note: object({ id: text, title: text }, 'id', 'title'),
      PartialNote: object({ id: text }, 'id'),
    })
    expect(NoteOrPartial).toEqual({ description: 'A note.', ...object({ id: text, title: text }, 'id') })
  })

  test('within a union has its variants there too', () => {
    const { Any } = merged({
      Any: { oneOf: [ref('Some'), ref('C')] },
      Some: { oneOf: [ref('A'), ref('B')] },
      A: object({ a: text }),
      B: object({ b: text }),
      C: object({ c: text }),
    })
    expect(Any).toEqual(object({ a: text, b: text, c: text }))
  })

  test('of tagged objects has all tags, and is closed where all are', () => {
    const tagged = (tag: string): Schema => ({
      ...object({ type: { ...text, enum: [tag] } }, 'type'),
      additionalProperties: false,
    })
    const { Item } = merged({ Item: { oneOf: [ref('A'), ref('B')] }, A: tagged('a'), B: tagged('b') })
    expect(Item).toEqual({ ...object({ type: { ...text, enum: ['a', 'b'] } }, 'type'), additionalProperties: false })
  })

  test('makes unions of what its variants say of the same property, named after the place', () => {
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

  test('that refers to itself is one object that refers to itself', () => {
    const { Filter } = merged({
      Filter: { oneOf: [ref('And'), ref('Leaf')] },
      And: object({ and: { type: 'array', items: { oneOf: [ref('And'), ref('Leaf')] } } }),
      Leaf: object({ is: text }),
    })
    expect(Filter).toEqual(object({ and: { type: 'array', items: ref('Filter') }, is: text }))
  })

  test('with null is nullable; one of text and list may be anything', () => {
    const { Holder } = merged({
      Holder: object({
        icon: { oneOf: [ref('Icon'), { type: 'null' }] },
        value: { oneOf: [text, { type: 'array', items: text }] },
      }),
      Icon: object({ name: text }),
    })
    expect(Holder).toEqual(object({ icon: { ...ref('Icon'), nullable: true }, value: {} }))
  })

  test('of lists is a list of either', () => {
    const list = (items: Schema): Schema => ({ type: 'array', items })
    const { Holder } = merged({
      Holder: object({ names: { oneOf: [list(ref('A')), list(ref('B'))] } }),
      A: { ...text, enum: ['a'] },
      B: { ...text, enum: ['b'] },
    })
    expect(Holder).toEqual(object({ names: list({ ...text, enum: ['a', 'b'] }) }))
  })
})

test('`allOf` is one object; what it says of a property of its base narrows it', () => {
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

test('texts and lists with names of their own stand in place, with the words of the place', () => {
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

test('objects that stand in place are named after it', () => {
  const { schemas } = nameInlineObjects(
    documentOf({ Note: object({ place: { ...object({ city: text }), nullable: true } }) }),
  ).components
  expect(schemas).toEqual({ Note: object({ place: { ...ref('NotePlace'), nullable: true } }), NotePlace: object({ city: text }) })
})

test('choices that stand in place are named after it, or as the contract names the same words', () => {
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

test('a schema with a property of its own name gets another', () => {
  const { schemas } = renameOwnNames(
    documentOf({ DueDate: object({ due_date: text }), Note: object({ due: ref('DueDate') }) }),
  ).components
  expect(schemas).toEqual({ DueDateObject: object({ due_date: text }), Note: object({ due: ref('DueDateObject') }) })
})

test('components that nothing needs are left out, also those that need each other', () => {
  const { components } = withoutUnused(
    documentOf(
      { Used: object({ inner: ref('Inner') }), Inner: text, A: object({ b: ref('B') }), B: object({ a: ref('A') }) },
      { paths: { '/v1/notes': { parameters: [{ name: 'note', in: 'query', schema: ref('Used') }] } } },
    ),
  )
  expect(Object.keys(components.schemas ?? {})).toEqual(['Used', 'Inner'])
})

describe('a document', () => {
  const answering = (content: Record<string, MediaType>): Document =>
    documentOf(
      {
        ErrorObject: { oneOf: [ref('NotFound'), ref('Conflict')] },
        NotFound: object({ code: text }),
        Conflict: object({ code: text }),
        Note: object({}),
      },
      {
        paths: {
          '/v1/notes': {
            get: { operationId: 'listNotes', tags: [], responses: { '200': { description: 'So.', content } } },
          },
        },
      },
    )
  const contentOf = ({ paths }: Document): unknown => {
    const answer = paths['/v1/notes']?.get?.responses['200']
    return answer !== undefined && 'content' in answer ? answer.content : undefined
  }

  test('has errors of one shape', () => {
    const change = oneErrorShape('ErrorObject')
    expect(contentOf(change(answering({ 'application/json': { schema: ref('NotFound') } })))).toEqual({
      'application/json': { schema: ref('ErrorObject') },
    })
    const note = answering({ 'application/json': { schema: ref('Note') } })
    expect(change(note)).toEqual(note)
  })

  test('has streams of events as text', () => {
    const stream = { 'text/event-stream': { 'x-event-stream': { frame: 'Note', event: 'type' }, schema: ref('Note') } }
    expect(contentOf(streamsAsText(answering(stream)))).toEqual({ 'text/event-stream': { schema: text } })
  })

  test('has no examples', () => {
    const shown = answering({ 'application/json': { schema: ref('Note'), examples: { note: { value: {} } } } })
    const bare = withoutExamples({ ...shown, components: { ...shown.components, examples: { Note: { value: {} } } } })
    expect(bare).toEqual(answering({ 'application/json': { schema: ref('Note') } }))
  })

  test('is described by the first paragraph of its guide', () => {
    const { info } = shortHead(documentOf({}, { info: { title: 'Notes', version: '1', description: 'Notes.\n\n# Limits\n' } }))
    expect(info).toEqual({ title: 'Notes', version: '1', description: 'Notes.' })
  })

  test('asks for a bearer token alone where one of OAuth would do as well', () => {
    const components = {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic' },
        oauth: { type: 'oauth2' },
      },
    }
    const asked = (security: Record<string, string[]>[]): unknown => {
      const paths = { '/v1/notes': { get: { operationId: 'listNotes', tags: [], responses: {}, security } } }
      const changed = oneToken(documentOf({}, { components, paths }))
      return [changed.paths['/v1/notes']?.get?.security, Object.keys(changed.components.securitySchemes ?? {})]
    }
    expect(asked([{ token: [] }, { oauth: ['read'] }])).toEqual([[{ token: [] }], ['token']])
    expect(asked([{ basic: [] }, { token: [] }])).toEqual([
      [{ basic: [] }, { token: [] }],
      ['token', 'basic'],
    ])
    expect(asked([{ oauth: ['read'] }])).toEqual([[{ oauth: ['read'] }], ['oauth']])
  })

  test('has its webhooks where tools for 3.0 look for them', () => {
    const webhooks = { created: {} }
    expect(webhooksApart(documentOf({}, { webhooks }))).toEqual(documentOf({}, { 'x-webhooks': webhooks }))
  })

  test('has the head of 3.0', () => {
    const info = { title: 'Notes', version: '1', summary: 'Notes.', license: { name: 'MIT', identifier: 'MIT' } }
    expect(headFor30(documentOf({}, { info, jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema' }))).toEqual(
      documentOf(
        {},
        {
          openapi: '3.0.3',
          info: { title: 'Notes', version: '1', license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' } },
        },
      ),
    )
  })

  test('has no text that ends a comment', () => {
    const document = documentOf({ Note: { description: 'Any of /v1/*/notes.', ...object({ description: text }) } })
    const { Note } = keywords.escapeCommentEnds(document).components.schemas ?? {}
    expect(Note).toEqual({ description: 'Any of /v1/*\\/notes.', ...object({ description: text }) })
  })
})
