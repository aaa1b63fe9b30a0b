/** Each keyword of JSON Schema is in the forms of the contract, or deliberately left out of one. */

import { describe, expect, test } from 'vitest'
import { schemaNameOf, type Document, type Schema } from '../../scripts/generate/document.ts'
import { sdkDocuments } from '../../scripts/generate/sdk/document.ts'
import { serverDocument } from '../../scripts/generate/server/document.ts'
import { typesModule } from '../../scripts/generate/types.ts'
import { documentOf, object, ref, text } from './support/sdk.ts'

/**
 * A contract with the schema in its only response and request body. Forms for client generators only name objects, so other schemas are a
 * property.
 */
function contractWith(schema: Schema): Document {
  const note = schema.type === 'object' || schema.allOf ? schema : object({ value: schema })
  const content = { 'application/json': { schema: ref('Note') } }
  const responses = { 200: { description: 'The note.', content } }
  const operation = { operationId: 'createNote', tags: ['Notes'], requestBody: { content }, responses }
  return documentOf({ Note: note, ErrorObject: object({ code: text }) }, { paths: { '/v1/notes': { post: operation } } })
}

function noteIn(document: Document): Schema | undefined {
  const note = document.components.schemas?.['Note']
  const value = note?.properties?.['value']
  if (typeof value !== 'object') return note
  return value.$ref === undefined ? value : document.components.schemas?.[schemaNameOf(value.$ref) ?? '']
}

const whole: Schema = { type: 'object', properties: { name: text } }
const list: Schema = { type: 'array', items: text }
const keptKeywords: [keyword: string, schema: Schema][] = [
  ['required', { ...whole, required: ['name'] }],
  ['properties', whole],
  ['additionalProperties', { type: 'object', additionalProperties: text }],
  ['minProperties', { ...whole, minProperties: 1 }],
  ['maxProperties', { ...whole, maxProperties: 2 }],
  ['items', list],
  ['minItems', { ...list, minItems: 1 }],
  ['maxItems', { ...list, maxItems: 2 }],
  ['uniqueItems', { ...list, uniqueItems: true }],
  ['enum', { ...text, enum: ['a', 'b'] }],
  ['format', { ...text, format: 'date' }],
  ['pattern', { ...text, pattern: '^a' }],
  ['minLength', { ...text, minLength: 1 }],
  ['maxLength', { ...text, maxLength: 2 }],
  ['minimum', { type: 'integer', minimum: 1 }],
  ['maximum', { type: 'integer', maximum: 2 }],
  ['multipleOf', { type: 'integer', multipleOf: 2 }],
]

describe.each(keptKeywords)('the keyword %s', (keyword, schema) => {
  const contract = contractWith(schema)

  test('is kept in the server form', () => {
    expect(noteIn(serverDocument(contract) as Document)?.[keyword]).toEqual(schema[keyword])
  })

  test('is in both forms for generators of clients', () => {
    const { for30, for31 } = sdkDocuments(contract)
    expect([noteIn(for30)?.[keyword], noteIn(for31)?.[keyword]]).toEqual([schema[keyword], schema[keyword]])
  })
})

const dropped: [keyword: string, schema: Schema][] = [
  ['if', { ...whole, if: { required: ['name'] }, then: { minProperties: 2 } }],
  ['not', { ...whole, not: { required: ['other'] } }],
  ['dependentRequired', { ...whole, dependentRequired: { name: ['other'] } }],
  ['dependentSchemas', { ...whole, dependentSchemas: { name: { minProperties: 2 } } }],
  ['propertyNames', { type: 'object', propertyNames: { maxLength: 3 }, additionalProperties: text }],
  ['patternProperties', { type: 'object', patternProperties: { '^x': text } }],
  ['contains', { ...list, contains: { minLength: 1 } }],
  ['prefixItems', { ...list, prefixItems: [text] }],
]

test.each(dropped)(
  'the keyword %s is kept in the server form, while the forms for client generators accept more',
  (keyword, schema) => {
    const contract = contractWith(schema)
    expect(noteIn(serverDocument(contract) as Document)?.[keyword]).toEqual(schema[keyword])
    expect(noteIn(sdkDocuments(contract).for31)?.[keyword]).toBeUndefined()
  },
)

test('members that extend a reference by allOf are kept in every form', async () => {
  const contract = contractWith({ allOf: [ref('Base'), { required: ['name'], properties: { day: text } }] })
  contract.components.schemas = { ...contract.components.schemas, Base: whole }
  const merged = { required: ['name'], properties: { name: text, day: text } }
  expect(noteIn(serverDocument(contract) as Document)).toMatchObject(merged)
  expect(noteIn(sdkDocuments(contract).for31)).toMatchObject(merged)
  expect(await typesModule(contract)).toMatch(/Note = (?:WithRequired<)?Base\b.* & \{/)
})
