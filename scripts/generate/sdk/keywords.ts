/** Rules for single schemas: each receives a schema whose subschemas are processed, and removes or rewrites keywords. */

import { mapSubschemas, type Document, type Schema } from '../document.ts'

/** A change of one schema, without its subschemas. */
export type SchemaRule = (schema: Schema) => Schema

/** Formats of the OpenAPI registry that generators have a type for. */
const COMMON_FORMATS = ['date', 'date-time', 'uuid', 'uri', 'binary', 'byte', 'int32', 'int64', 'float', 'double']
/** Keywords that depend on others, or that OpenAPI 3.0 lacks, and that only restrict. */
const NARROWING = [
  ...['if', 'then', 'else', 'not', 'dependentSchemas', 'dependentRequired', 'propertyNames', 'patternProperties', 'contains'],
  ...['prefixItems', 'contentMediaType', 'contentEncoding', '$comment', '$schema', '$defs'],
]
const LARGEST_INT32 = 2 ** 31 - 1

/** Applies a rule to a schema and to every schema inside it, innermost first. */
export function everywhere(rule: SchemaRule): SchemaRule {
  return (schema) => rule(mapSubschemas(schema, everywhere(rule)))
}

/**
 * Removes conditions, and keywords about keys that only 3.1 has: the rest accepts more. Parts of `allOf` with only such keywords are
 * removed too.
 */
export const withoutConditions: SchemaRule = (schema) => {
  const kept = omit(schema, NARROWING)
  if (kept.unevaluatedProperties === false) kept.additionalProperties = false
  delete kept.unevaluatedProperties
  const parts = kept.allOf?.filter((part) => typeof part === 'boolean' || Object.keys(part).length > 0)
  if (parts?.length === 0) delete kept.allOf
  else if (parts !== undefined) kept.allOf = parts
  return kept
}

/** Removes schemas that are `true` or `false`: a forbidden property is not listed, and an unrestricted one is empty. */
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

/** Replaces a constant text by an enum of one, and a constant number, boolean, or enum of numbers by its plain type. */
export const plainConstants: SchemaRule = (schema) => {
  const { const: constant, ...kept } = schema
  if (typeof constant === 'string') return { ...kept, type: 'string', enum: [constant] }
  const values = (constant === undefined ? (kept.enum ?? []) : [constant]).filter((value) => value !== null)
  if (values.length === 0 || values.some((value) => typeof value !== 'boolean' && typeof value !== 'number')) return kept
  return { ...omit(kept, ['enum']), type: kept.type ?? (typeof values[0] === 'boolean' ? 'boolean' : 'number') }
}

/** Removes a `pattern` beside a `format`, because generators would compile both, and formats that only this contract defines. */
export const oneFormat: SchemaRule = (schema) => {
  if (schema.format === undefined) return schema
  return COMMON_FORMATS.includes(schema.format) ? omit(schema, ['pattern']) : omit(schema, ['format'])
}

/**
 * Removes the length of binary values, which generators cannot know before reading: some take them for text and generate code that does not
 * compile.
 */
export const unmeasuredBytes: SchemaRule = (schema) =>
  schema.format === 'binary' ? omit(schema, ['minLength', 'maxLength']) : schema

/** Gives integers without a small maximum 64 bits, and makes numbers doubles: by default, generators choose 32 bits. */
export const sizedNumbers: SchemaRule = (schema) => {
  const types = [schema.type].flat()
  if (schema.format !== undefined) return schema
  if (types.includes('number')) return { ...schema, format: 'double' }
  if (!types.includes('integer')) return schema
  return Number(schema['maximum'] ?? Infinity) > LARGEST_INT32 ? { ...schema, format: 'int64' } : { ...schema, format: 'int32' }
}

/** Removes fields for the project's own tools, and `title`, which some generators take for the name. */
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

/**
 * Escapes the end of comments in descriptions, which would end the comments of generated code: an asterisk and a slash become `*\/`, which
 * Markdown renders alike.
 */
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
 * Spells the schema for OpenAPI 3.0, where exclusive limits are flags and nothing may be beside `$ref`. A nullable reference is wrapped;
 * otherwise what is beside it is left out, as is a default, which becomes a text even if the reference leads to an enum. `typeOf` gives the
 * type of a reference's target: `nullable` without a type has no effect.
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

/** Spells the schema for OpenAPI 3.1: null is a type beside that of a text or number, or a variant beside a reference. */
export const spelledFor31: SchemaRule = ({ nullable, $ref: ref, description, ...schema }) => {
  const about = description === undefined ? {} : { description }
  if (ref !== undefined) return nullable === true ? { ...about, oneOf: [{ $ref: ref }, { type: 'null' }] } : { $ref: ref }
  const { type, enum: values } = schema
  if (nullable !== true || typeof type !== 'string') return { ...about, ...schema }
  return { ...about, ...schema, type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) }
}
