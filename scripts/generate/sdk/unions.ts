/**
 * Turns unions and `allOf` into single objects, since most languages have no unions: the object has the properties of all variants, and
 * requires those that every variant requires. Properties with different schemas in the variants become unions again.
 */

import { schemaNameOf, schemaRef, type Document, type Schema, type SchemaOrBoolean } from '../document.ts'
import { pascal, withOuterSchemas } from './holders.ts'
import { omit } from './keywords.ts'
import { isObject } from '../../../server/kernel/is_object.ts'
import { ContractFaults } from '../faults.ts'
import { faultAt } from '../fault_locations.ts'

type Schemas = Readonly<Record<string, Schema>>

/** An object, with the alternatives of each of its properties. */
interface Shape {
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, readonly Schema[]>>
  readonly additional: readonly SchemaOrBoolean[]
}

/** Keywords that describe a union as a whole. */
const ABOUT = ['description', 'deprecated'] as const
const COMPOSING = ['oneOf', 'anyOf', 'allOf'] as const

/** Merges every union and `allOf`; inline unions become components, named after their path. */
export function mergeUnions(document: Document): Document {
  const merger = new Merger(document.components.schemas ?? {})
  const around = withOuterSchemas(document, (schema, location) => merger.mergedSchema(location, schema))
  return { ...around, components: { ...around.components, schemas: merger.all() } }
}

/** The alternatives of a schema that are not unions themselves: references to components, inline schemas, null. */
export function alternativesOf(schemas: Schemas, schema: Schema): Schema[] {
  const target = schema.$ref === undefined ? schema : resolveName(schemas, schema.$ref)
  const union = target.oneOf ?? target.anyOf
  if (union !== undefined && target.allOf === undefined && target.properties === undefined)
    return distinct(union.filter(isObject).flatMap((variant) => alternativesOf(schemas, variant)))
  if (schema.$ref !== undefined && isAlias(target)) return alternativesOf(schemas, target)
  if (!Array.isArray(target.type)) return [schema]
  const types = target.type.filter((type) => type !== 'null')
  const typed = types.map((type) => ({ ...withoutNull(target), type }))
  return types.length < target.type.length ? [...typed, { type: 'null' }] : typed
}

function withoutNull(schema: Schema): Schema {
  return schema.enum === undefined ? schema : { ...schema, enum: schema.enum.filter((value) => value !== null) }
}

/** Whether a schema has no name of its own in most languages: texts, numbers and lists have none, objects and enums do. */
function isAlias(schema: Schema): boolean {
  return !COMPOSING.some((keyword) => schema[keyword] !== undefined) && schema.type !== 'object' && schema.enum === undefined
}

class Merger {
  private readonly schemas: Schemas
  private readonly merged: Record<string, Schema> = {}
  /** Unions by their parts. */
  private readonly names = new Map<string, string>()

  constructor(schemas: Schemas) {
    this.schemas = schemas
    for (const [name, schema] of Object.entries(schemas)) {
      const values = alternativesOf(schemas, schema).filter(({ type }) => type !== 'null')
      if (values.length > 1) this.names.set(keyOf(values), name)
    }
  }

  all(): Record<string, Schema> {
    for (const [name, schema] of Object.entries(this.schemas)) this.merged[name] = this.component(name, schema)
    return this.merged
  }

  private component(name: string, schema: Schema): Schema {
    const alternatives = alternativesOf(this.schemas, schema)
    const values = alternatives.filter(({ type }) => type !== 'null')
    if (values.length > 0 && values.every((value) => this.isObjectLike(value)))
      return {
        ...about(schema),
        ...this.objectOf(
          name,
          unionOf(values.map((value) => this.shapeOf(value))),
          values.length === 1 ? this.limitsOf(values[0]) : {},
        ),
      }
    return this.mergedSchema(name, schema)
  }

  /** A schema at the path given by `name`; references to objects and enums stay. */
  mergedSchema(name: string, schema: Schema): Schema {
    const alternatives = alternativesOf(this.schemas, schema)
    const values = alternatives.filter(({ type }) => type !== 'null')
    const nullable = values.length < alternatives.length ? { nullable: true } : {}
    return { ...this.value(name, values), ...about(schema), ...defaultOf(schema), ...nullable }
  }

  private value(name: string, values: readonly Schema[]): Schema {
    const [first, ...others] = values
    if (first === undefined) return {}
    if (others.length === 0) return this.single(name, first)
    if (values.every((value) => this.isObjectLike(value))) return schemaRef(this.nameOfUnion(name, values))
    const targets = values.map((value) => this.target(value))
    const types = new Set(targets.map(({ type }) => type))
    if (types.size > 1) return {}
    if (first.type === 'array' && targets.every(({ items }) => isObject(items)))
      return {
        type: 'array',
        items: this.mergedSchema(`${name}Item`, { oneOf: targets.flatMap(({ items }) => (items === undefined ? [] : [items])) }),
      }
    const { type, format } = targets[0] ?? {}
    const sameFormat = targets.every((target) => target.format === format) && format !== undefined ? { format } : {}
    return targets.every((target) => target.enum !== undefined)
      ? { type: 'string', enum: distinct(targets.flatMap((target) => target.enum ?? [])) }
      : { ...(type === undefined ? {} : { type }), ...sameFormat }
  }

  private single(name: string, schema: Schema): Schema {
    if (schema.$ref !== undefined) return { $ref: schema.$ref }
    if (schema.type === 'array' && isObject(schema.items))
      return { ...schema, items: this.mergedSchema(`${name}Item`, schema.items) }
    if (!this.isObjectLike(schema)) return schema
    return this.objectOf(name, this.shapeOf(schema), this.limitsOf(schema))
  }

  private nameOfUnion(location: string, values: readonly Schema[]): string {
    const key = keyOf(values)
    const known = this.names.get(key)
    if (known !== undefined) return known
    const name = location in this.schemas || location in this.merged ? `${location}Union` : location
    if (name in this.schemas || name in this.merged)
      throw new ContractFaults([faultAt(['components', 'schemas', name], `Two schemas would be called ${name}`)])
    this.names.set(key, name)
    this.merged[name] = {}
    this.merged[name] = this.objectOf(name, unionOf(values.map((value) => this.shapeOf(value))), {})
    return name
  }

  private objectOf(name: string, { required, properties, additional }: Shape, limits: Schema): Schema {
    const known = Object.keys(properties)
    const [other, ...others] = additional.filter(isObject)
    const rest =
      other !== undefined
        ? { additionalProperties: others.length > 0 ? {} : this.mergedSchema(`${name}Value`, other) }
        : additional.length > 0 && additional.every((value) => value === false)
          ? { additionalProperties: false }
          : {}
    const requiredKeys = required.filter((key) => known.includes(key))
    return {
      type: 'object',
      ...(requiredKeys.length > 0 ? { required: requiredKeys } : {}),
      ...(known.length > 0
        ? {
            properties: Object.fromEntries(
              Object.entries(properties).map(([key, values]) => [key, this.property(name + pascal(key), values)]),
            ),
          }
        : {}),
      ...rest,
      ...limits,
    }
  }

  private property(name: string, values: readonly Schema[]): Schema {
    const [first, ...others] = distinct(values)
    if (first === undefined) return {}
    return this.mergedSchema(name, others.length === 0 ? first : { ...about(first), oneOf: [first, ...others] })
  }

  private limitsOf(schema: Schema | undefined): Schema {
    if (schema === undefined) return {}
    const { minProperties, maxProperties } = this.target(schema)
    return {
      ...(minProperties === undefined ? {} : { minProperties }),
      ...(maxProperties === undefined ? {} : { maxProperties }),
    }
  }

  private shapeOf(schema: Schema): Shape {
    const { allOf = [], oneOf, anyOf, ...own } = this.target(schema)
    const parts = allOf.filter(isObject).map((part) => this.shapeOf(part))
    const union = oneOf ?? anyOf
    if (union !== undefined) parts.push(unionOf(union.filter(isObject).map((variant) => this.shapeOf(variant))))
    const closed = own.additionalProperties
    const listed = Object.entries(own.properties ?? {}).filter(([, property]) => isObject(property))
    return parts.reduceRight<Shape>((later, earlier) => extended(earlier, later), {
      required: own.required ?? [],
      properties: Object.fromEntries(listed.map(([key, property]) => [key, [Object(property)]])),
      additional: closed === undefined ? [true] : [closed],
    })
  }

  private isObjectLike(schema: Schema): boolean {
    const { type, properties, allOf, oneOf, anyOf } = this.target(schema)
    if (type !== undefined || properties !== undefined) return type === 'object' || type === undefined
    const parts = [...(allOf ?? []), ...(oneOf ?? []), ...(anyOf ?? [])].filter(isObject)
    return parts.length > 0 && parts.every((part) => this.isObjectLike(part))
  }

  private target(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : resolveName(this.schemas, schema.$ref)
  }
}

/** A shape with the properties of all, and the required ones of every shape. */
function unionOf(shapes: readonly Shape[]): Shape {
  const properties: Record<string, Schema[]> = {}
  for (const shape of shapes)
    for (const [key, values] of Object.entries(shape.properties))
      properties[key] = distinct([...(properties[key] ?? []), ...values])
  const [first, ...others] = shapes
  return {
    required: (first?.required ?? []).filter((key) => others.every(({ required }) => required.includes(key))),
    properties,
    additional: shapes.flatMap(({ additional }) => additional),
  }
}

/** A shape that satisfies both. A later property restricts an earlier one, and keeps its type unless it has its own. */
function extended(earlier: Shape, later: Shape): Shape {
  const properties = { ...earlier.properties }
  for (const [key, values] of Object.entries(later.properties))
    properties[key] = values.map((value) => (isTyped(value) ? value : { ...properties[key]?.[0], ...value }))
  const closing = [...earlier.additional, ...later.additional]
  return {
    required: distinct([...earlier.required, ...later.required]),
    properties,
    additional: closing.includes(false) ? [false] : later.additional,
  }
}

function isTyped(schema: Schema): boolean {
  return ['$ref', 'type', 'enum', ...COMPOSING].some((keyword) => schema[keyword] !== undefined)
}

function resolveName(schemas: Schemas, ref: string): Schema {
  const found = schemas[schemaNameOf(ref) ?? '']
  if (found === undefined) throw new Error(`No such schema: ${ref}`)
  return found.$ref === undefined ? found : resolveName(schemas, found.$ref)
}

function about(schema: Schema): Schema {
  return Object.fromEntries(ABOUT.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])))
}

function defaultOf(schema: Schema): Schema {
  return schema.default === undefined ? {} : { default: schema.default }
}

function keyOf(values: readonly Schema[]): string {
  return values
    .map((value) => JSON.stringify(omit(value, ABOUT)))
    .toSorted()
    .join(' ')
}

/** Distinct values, descriptions aside. */
function distinct<T>(values: readonly T[]): T[] {
  const seen = new Map<string, T>()
  for (const value of values) {
    const key = JSON.stringify(value, (name, item: unknown) => (name === 'description' ? undefined : item))
    if (!seen.has(key)) seen.set(key, value)
  }
  return [...seen.values()]
}
