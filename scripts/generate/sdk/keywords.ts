/** Rules about one schema: each takes a schema whose subschemas are done, and leaves keywords out or rewrites them. */

import { mapSubschemas, type Document, type Schema } from '../document.ts'

/** What one rule does to one schema, its subschemas aside. */
export type SchemaRule = (schema: Schema) => Schema

/** Formats of the OpenAPI registry that generators have a type for. */
const COMMON_FORMATS = ['date', 'date-time', 'uuid', 'uri', 'binary', 'byte', 'int32', 'int64', 'float', 'double']
/** Keywords that hold depending on others, or that OpenAPI 3.0 does not have, and that only ever narrow. */
const NARROWING = [
  ...['if', 'then', 'else', 'not', 'dependentSchemas', 'dependentRequired', 'propertyNames', 'patternProperties', 'contains'],
  ...['prefixItems', 'contentMediaType', 'contentEncoding', '$comment', '$schema', '$defs'],
]
const LARGEST_INT32 = 2 ** 31 - 1

/** The schema with `rule` done to it and to every schema inside it, inside out. */
export function everywhere(rule: SchemaRule): SchemaRule {
  return (schema) => rule(mapSubschemas(schema, everywhere(rule)))
}

/** Conditions go, and what only 3.1 can say of keys: the rest accepts more. Parts of `allOf` that said nothing else are removed with them. */
export const withoutConditions: SchemaRule = (schema) => {
  const kept = omit(schema, NARROWING)
  if (kept.unevaluatedProperties === false) kept.additionalProperties = false
  delete kept.unevaluatedProperties
  const parts = kept.allOf?.filter((part) => typeof part === 'boolean' || Object.keys(part).length > 0)
  if (parts?.length === 0) delete kept.allOf
  else if (parts !== undefined) kept.allOf = parts
  return kept
}

/** No schema is `true` or `false`: a forbidden property is not listed, and an unrestricted one is empty. */
export const withoutBooleanSchemas: SchemaRule = (schema) => {
  const kept = { ...schema }
  if (kept.properties !== undefined) {
    const listed = Object.entries(kept.properties).filter(([, property]) => property !== false)
    kept.properties = Object.fromEntries(listed.map(([key, property]) => [key, property === true ? {} : property]))
  }
  if (kept.additionalProperties === true) delete kept.additionalProperties
  if (typeof kept.items === 'boolean') kept.items = {}
  return kept
}

/** A constant text is an enum of one; a constant number or boolean, or an enum of numbers, is what generators have a plain type for. */
export const plainConstants: SchemaRule = (schema) => {
  const { const: constant, ...kept } = schema
  if (typeof constant === 'string') return { ...kept, type: 'string', enum: [constant] }
  const values = (constant === undefined ? (kept.enum ?? []) : [constant]).filter((value) => value !== null)
  if (values.length === 0 || values.some((value) => typeof value !== 'boolean' && typeof value !== 'number')) return kept
  return { ...omit(kept, ['enum']), type: kept.type ?? (typeof values[0] === 'boolean' ? 'boolean' : 'number') }
}

/** `format` says more than the `pattern` beside it, which generators compile as well. They do not know formats of this contract alone. */
export const oneFormat: SchemaRule = (schema) => {
  if (schema.format === undefined) return schema
  return COMMON_FORMATS.includes(schema.format) ? omit(schema, ['pattern']) : omit(schema, ['format'])
}

/** Bytes have no length that generators could measure before they are read: some take them for text and generate code that does not compile. */
export const unmeasuredBytes: SchemaRule = (schema) =>
  schema.format === 'binary' ? omit(schema, ['minLength', 'maxLength']) : schema

/** Integers without a small maximum have 64 bits, numbers are doubles: without that, generators choose 32 bits. */
export const sizedNumbers: SchemaRule = (schema) => {
  const types = [schema.type].flat()
  if (schema.format !== undefined) return schema
  if (types.includes('number')) return { ...schema, format: 'double' }
  if (!types.includes('integer')) return schema
  return Number(schema['maximum'] ?? Infinity) > LARGEST_INT32 ? { ...schema, format: 'int64' } : { ...schema, format: 'int32' }
}

/** Fields for this project's own tools go; `title` too, which some generators take for the name. */
export const withoutExtensionFields: SchemaRule = (schema) =>
  Object.fromEntries(
    Object.entries(schema).filter(([key]) => !key.startsWith('x-') && !['title', 'example', 'examples'].includes(key)),
  )

/** All rules about one schema, in their order. */
export const schemaRules: readonly SchemaRule[] = [
  withoutConditions,
  withoutBooleanSchemas,
  plainConstants,
  oneFormat,
  unmeasuredBytes,
  sizedNumbers,
  withoutExtensionFields,
]

/** A comment that ends within a description would end the comment of generated code: an asterisk and a slash become `*\/`, which Markdown shows alike. */
export function escapeCommentEnds(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    (key === 'description' || key === 'summary') && typeof value === 'string' ? value.replaceAll('*/', '*\\/') : value,
  )
}

/** A copy without the keywords. */
export function omit(schema: Schema, keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)))
}

/**
 * The schema as OpenAPI 3.0 spells it: limits that are flags, and nothing beside `$ref` but in a wrapper, where it matters. There, a
 * default is taken for a text even where the reference leads to an enum. `typeOf` gives the type that a reference leads to: `nullable` without
 * one has no effect.
 */
export function spelledFor30(typeOf: (ref: string) => string): SchemaRule {
  return (schema) => {
    const { $ref: ref, exclusiveMinimum, exclusiveMaximum, ...kept } = schema
    if (ref !== undefined)
      return kept['nullable'] === true ? { type: typeOf(ref), ...omit(kept, ['default']), allOf: [{ $ref: ref }] } : { $ref: ref }
    if (exclusiveMinimum !== undefined) Object.assign(kept, { minimum: exclusiveMinimum, exclusiveMinimum: true })
    if (exclusiveMaximum !== undefined) Object.assign(kept, { maximum: exclusiveMaximum, exclusiveMaximum: true })
    return kept['type'] === undefined ? omit(kept, ['nullable']) : kept
  }
}

/** The schema as OpenAPI 3.1 spells it: null is a type, beside that of a text or number, or a variant beside a reference. */
export const spelledFor31: SchemaRule = ({ nullable, $ref: ref, description, ...schema }) => {
  const about = description === undefined ? {} : { description }
  if (ref !== undefined) return nullable === true ? { ...about, oneOf: [{ $ref: ref }, { type: 'null' }] } : { $ref: ref }
  const { type, enum: values } = schema
  if (nullable !== true || typeof type !== 'string') return { ...about, ...schema }
  return { ...about, ...schema, type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) }
}
