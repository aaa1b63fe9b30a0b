/** Applies one step to one schema. Each function throws if the schema is not as the step expects, so that every step has an effect. */

import { mapSubschemas, schemaNameOf, schemaRef, type Schema, type SchemaOrBoolean } from '../document.ts'
import { reworded } from './reworded.ts'
import type { SchemaStep, Selector } from './steps.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

type Schemas = Record<string, Schema>

/** The likeliest cause, added to the error of a step that finds no schema. */
const FILES_ALONE = 'move an inline schema to a file of its own first'

/** Applies one step to every schema that it names. Replaces schemas in `schemas`, but modifies none of them in place. */
export function applyToSchemas(schemas: Schemas, step: SchemaStep): void {
  for (const name of selected(schemas, step.in)) {
    let schema = schemas[name]
    if (schema === undefined) throw new Error(`${name} is not a schema`)
    const before = schema
    for (const [from, to] of Object.entries(step.rename ?? {})) {
      schema = renamed(schema, from, to)
      retag(schemas, name, from, to)
    }
    if (step.remove) schema = withoutProperties(schema, step.remove)
    if (step.unnamed !== undefined) schema = unnamed(schema, step.unnamed)
    if (step.add) schema = withProperties(schema, step.add, step.required === true)
    if (step.apart) schema = { ...schema, not: { required: step.apart } }
    if (step.without) schema = withoutVariants(schema, step.without)
    if (step.with) schema = withVariants(schema, step.with)
    if (step.merge) schema = merged(schema, step.merge)
    if (step.words) schema = reworded(schema, step.words)
    if (JSON.stringify(schema) === JSON.stringify(before)) throw new Error(`the step changes nothing in ${name}`)
    schemas[name] = schema
  }
}

/** Names of the schemas that a selector matches. Throws if there are none. */
export function selected(schemas: Schemas, selector: Selector): readonly string[] {
  if (typeof selector === 'string') return [selector]
  if (Array.isArray(selector)) return selector
  const names = Object.keys(schemas)
  const found =
    'named' in selector
      ? names.filter((name) => name.includes(selector.named) && schemas[name]?.properties?.[selector.having] !== undefined)
      : names.filter((name) => schemas[name]?.allOf?.some((base) => isObject(base) && refersTo(base, selector.extending)))
  if (found.length === 0) throw new Error(`no schema is ${JSON.stringify(selector)}; ${FILES_ALONE}`)
  return found
}

function refersTo(schema: Schema, name: string): boolean {
  return schema.$ref !== undefined && schemaNameOf(schema.$ref) === name
}

function renamed(schema: Schema, from: string, to: string): Schema {
  const { properties, required, enum: values } = schema
  if (values !== undefined) return { ...schema, enum: values.map((value) => (value === from ? to : value)) }
  if (properties?.[from] === undefined) throw new Error(`${from} is not a property; ${FILES_ALONE}`)
  const { type } = properties
  return {
    ...schema,
    ...(schema['x-payload-key'] === from ? { 'x-payload-key': to } : {}),
    ...(required === undefined ? {} : { required: required.map((key) => (key === from ? to : key)) }),
    properties: Object.fromEntries(
      Object.entries({ ...properties, ...(isTag(type, from) ? { type: { ...type, const: to } } : {}) }).map(([key, property]) => [
        key === from ? to : key,
        property,
      ]),
    ),
  }
}

function isTag(schema: SchemaOrBoolean | undefined, value: string): schema is Schema {
  return isObject(schema) && schema['const'] === value
}

/** Renames the tag of a schema in the unions that it is a tagged variant of. */
function retag(schemas: Schemas, name: string, from: string, to: string): void {
  for (const [union, schema] of Object.entries(schemas)) {
    const { discriminator } = schema
    if (discriminator?.mapping?.[from] !== schemaRef(name).$ref) continue
    const mapping = Object.fromEntries(
      Object.entries(discriminator?.mapping ?? {}).map(([tag, ref]) => [tag === from ? to : tag, ref]),
    )
    schemas[union] = { ...schema, discriminator: { propertyName: 'type', ...discriminator, mapping } }
  }
}

function withoutProperties(schema: Schema, names: readonly string[]): Schema {
  const missing = names.find((name) => schema.properties?.[name] === undefined)
  if (missing !== undefined) throw new Error(`${missing} is not a property`)
  const keeps = (name: string): boolean => !names.includes(name)
  const { required, 'x-sent': sent } = schema
  return {
    ...schema,
    ...(required === undefined ? {} : { required: required.filter(keeps) }),
    ...(sent?.required === undefined ? {} : { 'x-sent': { ...sent, required: sent.required.filter(keeps) } }),
    properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => keeps(name))),
  }
}

/** Removes a property, and the property that its value names. */
function unnamed(schema: Schema, property: string): Schema {
  const tag = schema.properties?.[property]
  const names = [property, ...(isObject(tag) && typeof tag['const'] === 'string' ? [tag['const']] : [])]
  return { ...withoutProperties(schema, names), not: { required: [property] } }
}

function withProperties(schema: Schema, added: Record<string, SchemaOrBoolean>, isRequired: boolean): Schema {
  const known = Object.keys(added).find((name) => schema.properties?.[name] !== undefined)
  if (known !== undefined) throw new Error(`the property ${known} already exists`)
  return {
    ...schema,
    ...(isRequired ? { required: [...(schema.required ?? []), ...Object.keys(added)] } : {}),
    properties: { ...schema.properties, ...added },
  }
}

function withoutVariants(schema: Schema, names: readonly string[]): Schema {
  const refs = new Set(names.map((name) => schemaRef(name).$ref))
  const kept = (schema.oneOf ?? []).filter((variant) => !isObject(variant) || !refs.has(variant.$ref))
  if (kept.length + names.length !== schema.oneOf?.length)
    throw new Error(`expected variants of the union, found ${names.join(', ')}`)
  const { discriminator } = schema
  if (discriminator?.mapping === undefined) return { ...schema, oneOf: kept }
  const mapping = Object.fromEntries(Object.entries(discriminator.mapping).filter(([, ref]) => !refs.has(ref)))
  return { ...schema, oneOf: kept, discriminator: { ...discriminator, mapping } }
}

function withVariants(schema: Schema, variants: string[] | Record<string, string>): Schema {
  const { discriminator, oneOf = [] } = schema
  if (Array.isArray(variants)) return { ...schema, oneOf: [...oneOf, ...variants.map(schemaRef)] }
  if (discriminator === undefined) throw new Error('tags need a discriminator')
  const refs = Object.entries(variants).map(([tag, name]) => [tag, `#/components/schemas/${name}`] as const)
  return {
    ...schema,
    oneOf: [...oneOf, ...Object.values(variants).map(schemaRef)],
    discriminator: { ...discriminator, mapping: { ...discriminator.mapping, ...Object.fromEntries(refs) } },
  }
}

/** A JSON merge patch (RFC 7396). */
function merged(target: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const result = { ...target }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      if (!Object.hasOwn(result, key)) throw new Error(`cannot remove ${key}: it is not present`)
      delete result[key]
    } else if (isObject(value)) {
      const inner = result[key]
      // A reference is replaced as a whole.
      result[key] = merged(isObject(inner) && !('$ref' in value) ? inner : {}, value)
    } else result[key] = value
  }
  return result
}

/**
 * The schema, and those inside it, for callers whose unknown keys are ignored. Closed variants were distinguished by their keys. Now the
 * variant without payload excludes the payload keys, and exactly one of the keys that stand alone must be present.
 */
export function opened(schema: Schema, payloadKeys: readonly string[]): Schema {
  const open = mapSubschemas(schema, (inner) => opened(inner, []))
  if (open.additionalProperties === false) delete open.additionalProperties
  if (open.unevaluatedProperties === false) delete open.unevaluatedProperties
  if (schema.additionalProperties === false && open['minProperties'] === 1) {
    const anyKey = Object.keys(open.properties ?? {}).map((key) => ({ required: [key] }))
    Object.assign(open, open['maxProperties'] === 1 ? { oneOf: anyKey } : { anyOf: anyKey })
    delete open['minProperties']
    delete open['maxProperties']
  }
  const others = payloadKeys.map((key) => ({ required: [key] }))
  const [only] = others
  if (only === undefined) return open
  return { ...open, not: others.length === 1 ? only : { anyOf: others } }
}

/** A union with a single remaining variant becomes that variant. */
export function withoutLoneVariant({ oneOf, ...others }: Schema): Schema {
  const { discriminator: _mapping, 'x-payload-union': _isPayloadUnion, ...rest } = others
  const [only] = oneOf ?? []
  return isObject(only) ? { ...rest, ...only } : rest
}

/**
 * The schema, and those inside it, as of a date: keys that every release gained later (`x-required-since`) are optional, because other
 * deployments left them out. `x-sent` says that this service sends them anyway.
 */
export function withoutLaterKeys(schema: Schema, date: string): Schema {
  const inner = mapSubschemas(schema, (one) => withoutLaterKeys(one, date))
  const { 'x-required-since': since, ...rest } = inner
  if (since === undefined) return inner
  const isLater = (key: string): boolean => (since[key] ?? '') > date
  const later = (inner.required ?? []).filter(isLater)
  if (later.length === 0) return inner
  const known = Object.entries(since).filter(([key]) => !isLater(key))
  return {
    ...rest,
    ...(known.length > 0 ? { 'x-required-since': Object.fromEntries(known) } : {}),
    required: (inner.required ?? []).filter((key) => !isLater(key)),
    'x-sent': { ...inner['x-sent'], required: [...(inner['x-sent']?.required ?? []), ...later] },
  }
}
