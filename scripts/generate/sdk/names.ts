/** Rules for the names of schemas. */

import { mapSubschemas, schemaNameOf, schemaRef, walkObjects, type Document, type Schema } from '../document.ts'
import { pascal, withOuterSchemas } from './holders.ts'
import { isObject } from '../../../server/kernel/is_object.ts'
import { ContractFaults } from '../faults.ts'
import { faultAt } from '../fault_locations.ts'

type Schemas = Readonly<Record<string, Schema>>

/** Turns inline objects into components named after their path: names that generators choose may clash. */
export function nameInlineObjects(document: Document): Document {
  return nameInline(document, ({ type, properties }) => type === 'object' && properties !== undefined)
}

/** Turns inline enums into components, or references to an existing component with the same values. */
export function nameInlineEnums(document: Document): Document {
  return nameInline(document, ({ type, enum: values = [] }) => type === 'string' && values.length > 1)
}

function nameInline(document: Document, isNameable: (schema: Schema) => boolean): Document {
  const schemas: Schemas = document.components.schemas ?? {}
  const naming = new Naming(schemas)
  const namedSchema = (location: string, schema: Schema): Schema => {
    const done = inside(location, schema)
    if (!isNameable(done)) return done
    const { default: usual, nullable, ...named } = done
    const beside = { ...(usual === undefined ? {} : { default: usual }), ...(nullable === undefined ? {} : { nullable }) }
    return { ...schemaRef(naming.nameOf(location, named)), ...beside }
  }
  const inside = (location: string, { properties, ...schema }: Schema): Schema => {
    const others = mapSubschemas(schema, (subschema) => namedSchema(`${location}Item`, subschema))
    if (properties === undefined) return others
    const named = Object.entries(properties).map(([key, property]) => [
      key,
      isObject(property) ? namedSchema(location + pascal(key), property) : property,
    ])
    return { ...others, properties: Object.fromEntries(named) }
  }
  const own = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inside(name, schema)]))
  const around = withOuterSchemas(document, (schema, location) => namedSchema(location, schema))
  return { ...around, components: { ...around.components, schemas: { ...own, ...naming.added } } }
}

class Naming {
  readonly added: Record<string, Schema> = {}
  private readonly schemas: Schemas
  /** Names of enums by their values. */
  private readonly enums: ReadonlyMap<string, string>

  constructor(schemas: Schemas) {
    this.schemas = schemas
    const enums = Object.entries(schemas).filter(([, schema]) => schema.enum !== undefined)
    this.enums = new Map(enums.map(([name, schema]) => [wordsOf(schema), name]))
  }

  nameOf(location: string, schema: Schema): string {
    const known = schema.enum === undefined ? undefined : this.enums.get(wordsOf(schema))
    if (known !== undefined) return known
    const name = [location, `${location}Value`].find(
      (candidate) => !(candidate in this.schemas) && isSame(this.added[candidate], schema),
    )
    if (name === undefined) throw new Error(`Two schemas would be called ${location}Value`)
    this.added[name] = schema
    return name
  }
}

function isSame(known: Schema | undefined, schema: Schema): boolean {
  return known === undefined || JSON.stringify(known) === JSON.stringify(schema)
}

function wordsOf(schema: Schema): string {
  return JSON.stringify([...(schema.enum ?? [])].toSorted())
}

/** Renames schemas that have a property of their own name to `…Object`: in some languages, a class cannot have such a member. */
export function renameOwnNames(document: Document): Document {
  const schemas = document.components.schemas ?? {}
  const taken = new Set(Object.keys(schemas))
  const renamed = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas)) {
    if (!Object.keys(schema.properties ?? {}).some((key) => bare(key) === bare(name))) continue
    const next = `${name}Object`
    if (taken.has(next))
      throw new ContractFaults([faultAt(['components', 'schemas', next], `Two schemas would be called ${next}`)])
    renamed.set(name, next)
  }
  const result: Document = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    const name = key === '$ref' && typeof value === 'string' ? schemaNameOf(value) : undefined
    return name === undefined ? value : (schemaRef(renamed.get(name) ?? name).$ref ?? value)
  })
  result.components.schemas = Object.fromEntries(
    Object.entries(result.components.schemas ?? {}).map(([name, schema]) => [renamed.get(name) ?? name, schema]),
  )
  return result
}

function bare(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
}

/** Removes components that nothing refers to any longer. */
export function withoutUnused(document: Document): Document {
  const used = new Set<string>()
  const visit = (value: unknown): void =>
    walkObjects(value, ({ $ref: ref }) => {
      if (typeof ref !== 'string' || used.has(ref)) return
      used.add(ref)
      const [, , kind = '', name = ''] = ref.split('/')
      const group = document.components[kind]
      if (isObject(group)) visit(group[name])
    })
  const { components, ...rest } = document
  visit(rest)
  const kept = Object.entries(components).map(([kind, group]) => [
    kind,
    kind === 'securitySchemes' || !isObject(group)
      ? group
      : Object.fromEntries(Object.entries(group).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ])
  return { ...document, components: Object.fromEntries(kept.filter(([, group]) => Object.keys(group ?? {}).length > 0)) }
}
