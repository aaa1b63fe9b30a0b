/** A schema merged with its `allOf`, as callers see it: one object, each property with its schema. */

import type { Document } from '../generate/document.ts'
import { referenceName, resolved } from './comparison.ts'
import { isObject } from '../../server/kernel/is_object.ts'

export interface FlatProperty {
  schema: unknown
  /** path of its definition: schemas that share it share its changes */
  location: string
}

export interface FlatSchema {
  properties: Map<string, FlatProperty>
  required: Set<string>
  /** unions among the parts, in their order */
  unions: { kinds: unknown[]; location: string }[]
  /** `if`, `not` and the like, each as one value */
  conditions: Record<string, unknown>[]
  keywords: Map<string, unknown>
}

const conditional = ['if', 'then', 'else', 'not', 'dependentSchemas', 'dependentRequired', 'patternProperties', 'contains']
const folded = new Set(['properties', 'required', 'allOf', 'oneOf', 'anyOf', '$ref', ...conditional])

/** The schemas under `oneOf` or `anyOf`; undefined if the schema is not a union. */
export function kindsOf(schema: Record<string, unknown>): unknown[] | undefined {
  const union = schema['oneOf'] ?? schema['anyOf']
  return Array.isArray(union) ? union : undefined
}

/** The schema merged with its `allOf`. Its own unions are left to `kindsOf`. */
export function flatSchema(document: Document, schema: Record<string, unknown>, location: string): FlatSchema {
  const flat: FlatSchema = { properties: new Map(), required: new Set(), unions: [], conditions: [], keywords: new Map() }
  fold(document, schema, location, flat)
  return flat
}

function fold(document: Document, schema: Record<string, unknown>, location: string, flat: FlatSchema): void {
  for (const part of Array.isArray(schema['allOf']) ? schema['allOf'] : []) {
    const [value, owner] = [resolved(document, part), referenceName(part) ?? location]
    const kinds = kindsOf(value)
    if (kinds !== undefined) flat.unions.push({ kinds, location: owner })
    fold(document, value, owner, flat)
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, property] of Object.entries(properties)) {
    flat.properties.set(name, { schema: property, location: `${location}.${name}` })
  }
  const { 'x-sent': sent } = schema
  for (const names of [schema['required'], isObject(sent) ? sent['required'] : []])
    for (const name of Array.isArray(names) ? names : []) flat.required.add(String(name))
  const condition = Object.fromEntries(conditional.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])))
  if (Object.keys(condition).length > 0) flat.conditions.push(condition)
  for (const [key, value] of Object.entries(schema)) if (!folded.has(key)) flat.keywords.set(key, value)
}
