/**
 * A union whose variants have different JSON types (a nullable object; a string or an object) becomes one schema with several
 * types: JSON Schema's keywords each look at one type only, so nothing is lost, and one mistake gives one error, not one per variant.
 */

import type { JsonValue, Schema } from '../document.ts'

const typesOfKeyword: Readonly<Record<string, string>> = {
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  items: 'array',
  prefixItems: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  contains: 'array',
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  unevaluatedProperties: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  patternProperties: 'object',
  propertyNames: 'object',
  dependentSchemas: 'object',
  discriminator: 'object',
}

/** A single schema that holds if exactly one of `variants` holds; undefined if their JSON types do not distinguish them. */
export function mergeByType(variants: readonly Schema[]): Schema | undefined {
  const types = variants.map(typesOf)
  const all = types.flat()
  const families = all.map((type) => (type === 'integer' ? 'number' : type))
  if (types.some((list) => list.length === 0) || new Set(families).size < families.length) return undefined
  const merged: Schema = { type: all.length === 1 ? (all[0] ?? 'null') : all }
  for (const [index, variant] of variants.entries()) {
    const part = partOf(variant, types[index] ?? [], all)
    if (part === undefined || Object.keys(part).some((keyword) => keyword in merged)) return undefined
    Object.assign(merged, part)
  }
  return merged
}

/** JSON types that the schema accepts; empty if it does not declare any. A discriminated union accepts objects. */
function typesOf(schema: Schema): string[] {
  if (schema.type !== undefined) return [schema.type].flat()
  return schema.discriminator === undefined ? [] : ['object']
}

/** The variant's part of the merged schema, without its type; undefined if it cannot be merged. */
function partOf(variant: Schema, own: readonly string[], all: readonly string[]): Schema | undefined {
  const part: Schema = {}
  const others = all.filter((type) => !own.includes(type))
  for (const [keyword, value] of Object.entries(variant)) {
    const family = typesOfKeyword[keyword]
    if (keyword === 'type') continue
    if (keyword.startsWith('x-') || (family !== undefined && !others.includes(family))) part[keyword] = value
    else if (keyword === 'oneOf' && variant.discriminator !== undefined) part.oneOf = variant.oneOf ?? []
    else if ((keyword === 'enum' || keyword === 'const') && others.every((type) => type === 'null'))
      part.enum = nullableValues(variant, others)
    else if (keyword === 'not' && isPayloadRule(variant)) part.not = payloadRuleForObjects(variant, others)
    else return undefined
  }
  return part
}

function nullableValues(variant: Schema, others: readonly string[]): JsonValue[] {
  const values = variant.enum ?? (variant.const === undefined ? [] : [variant.const])
  return others.length === 0 || values.includes(null) ? values : [...values, null]
}

function isPayloadRule(variant: Schema): boolean {
  return variant['x-payload-keys'] !== undefined
}

/** Limits the payload rule to objects: it does not apply to values of another type. See payload_union.ts. */
function payloadRuleForObjects(variant: Schema, others: readonly string[]): Schema {
  return { not: { if: { type: [...others] }, else: typeof variant.not === 'object' ? (variant.not.not ?? true) : true } }
}
