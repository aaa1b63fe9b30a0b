/**
 * `allOf` of plain objects becomes one object, and `unevaluatedProperties: false` then becomes `additionalProperties: false`:
 * Ajv checks it many times faster, names the wrong key plainly, and accepts it as a variant of a discriminator.
 */

import { schemaNameOf, type Schema, type SchemaOrBoolean } from '../document.ts'

/** Component schemas by name. */
export type Schemas = Readonly<Record<string, Schema>>

/** EOV refuses requests with a member that is `readOnly`; here they are accepted. */
const annotations = new Set(['description', 'title', 'examples', 'deprecated', 'readOnly', '$comment'])
const objectKeywords = new Set([
  'type',
  'required',
  'properties',
  'additionalProperties',
  'unevaluatedProperties',
  'minProperties',
  'maxProperties',
])

/**
 * The schema without annotations, with its `allOf` merged if all parts are plain objects. Parts that only constrain keys named elsewhere
 * (`if` and the like) stay in `allOf`. With any other part, `allOf` stays whole. Subschemas stay as they are.
 */
export function flatten(schemas: Schemas, schema: Schema): Schema {
  const bare = withoutAnnotations(schema)
  const { allOf, ...own } = bare
  if (allOf === undefined) return bare
  const parts = allOf.map((part) => flattenedPart(schemas, part))
  const [only] = allOf
  if (allOf.length === 1 && isEmpty(own) && typeof only === 'object') return only
  const plain = [...parts, own].filter(isPlainObject)
  const constraints = [...parts, own].filter((part) => !isPlainObject(part))
  const merged = mergeObjects(plain)
  const known = Object.keys(merged.properties ?? {})
  if (constraints.includes(own) || !constraints.every((part) => onlyConstrains(part, known))) return bare
  return constraints.length > 0 ? { ...merged, allOf: constraints } : merged
}

/** Whether the part names no key beyond `known`, so that closing the merged object does not depend on it. */
function onlyConstrains(part: Schema, known: readonly string[]): boolean {
  const {
    $ref,
    properties = {},
    additionalProperties,
    unevaluatedProperties,
    if: condition,
    then,
    else: otherwise,
    not,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = part
  const inner = [condition, then, otherwise, not, ...anyOf, ...oneOf, ...allOf].filter((schema) => typeof schema === 'object')
  return (
    $ref === undefined &&
    additionalProperties === undefined &&
    unevaluatedProperties === undefined &&
    Object.keys(properties).every((key) => known.includes(key)) &&
    inner.every((schema) => onlyConstrains(schema, known))
  )
}

/** The component behind a pure reference, following references; otherwise the schema itself. */
export function dereference(schemas: Schemas, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const name = schemaNameOf(schema.$ref)
  const target = name === undefined ? undefined : schemas[name]
  if (target === undefined) throw new Error(`No such schema: ${schema.$ref}`)
  return dereference(schemas, target)
}

function flattenedPart(schemas: Schemas, part: SchemaOrBoolean): Schema {
  if (typeof part === 'boolean') throw new Error('allOf with true or false is not part of the house style')
  return flatten(schemas, dereference(schemas, part))
}

function withoutAnnotations(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !annotations.has(keyword)))
}

function isEmpty(schema: Schema): boolean {
  return Object.keys(schema).length === 0
}

function isPlainObject(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => objectKeywords.has(keyword) || keyword.startsWith('x-'))
}

function mergeObjects(parts: Schema[]): Schema {
  const closed = parts.some((part) => part.unevaluatedProperties === false)
  const merged: Schema = { type: 'object' }
  const required = new Set<string>()
  const properties: Record<string, SchemaOrBoolean> = {}
  for (const part of parts) {
    const {
      type: _type,
      required: partRequired = [],
      properties: partProperties = {},
      unevaluatedProperties: _closing,
      ...rest
    } = part
    if (part.additionalProperties === false && parts.length > 1) throw new Error('A closed object cannot take part in allOf')
    for (const key of partRequired) required.add(key)
    for (const [key, property] of Object.entries(partProperties)) properties[key] = mergeProperty(key, properties[key], property)
    Object.assign(merged, rest)
  }
  if (required.size > 0) merged.required = [...required]
  merged.properties = properties
  if (closed) merged.additionalProperties = false
  return merged
}

/** A later part may restrict a property of an earlier one; both must hold. */
function mergeProperty(key: string, earlier: SchemaOrBoolean | undefined, later: SchemaOrBoolean): SchemaOrBoolean {
  if (earlier === undefined || JSON.stringify(earlier) === JSON.stringify(later)) return later
  if (typeof earlier === 'object' && typeof later === 'object') return { allOf: [earlier, later] }
  throw new Error(`allOf gives two schemas to ${key}`)
}
