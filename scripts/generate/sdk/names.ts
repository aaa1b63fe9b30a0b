/** Rules about which schemas have names, and which. */

import { mapSubschemas, schemaNameOf, schemaRef, walkObjects, type Document, type Schema } from '../document.ts'
import { pascal, withOuterSchemas } from './holders.ts'
import { isObject } from '../../../server/kernel/is_object.ts'
import { ContractFaults } from '../faults.ts'
import { faultAt } from '../places.ts'

type Schemas = Readonly<Record<string, Schema>>

/** Inline objects become components, named after their place: names made up by generators may clash with others. */
export function nameInlineObjects(document: Document): Document {
  return nameInline(document, ({ type, properties }) => type === 'object' && properties !== undefined)
}

/** The same for enums. Where the contract has a name for the same values, it is that one. */
export function nameInlineEnums(document: Document): Document {
  return nameInline(document, ({ type, enum: values = [] }) => type === 'string' && values.length > 1)
}

function nameInline(document: Document, isNameable: (schema: Schema) => boolean): Document {
  const schemas: Schemas = document.components.schemas ?? {}
  const naming = new Naming(schemas)
  const inPlace = (place: string, schema: Schema): Schema => {
    const done = inside(place, schema)
    if (!isNameable(done)) return done
    const { default: usual, nullable, ...named } = done
    const beside = { ...(usual === undefined ? {} : { default: usual }), ...(nullable === undefined ? {} : { nullable }) }
    return { ...schemaRef(naming.nameOf(place, named)), ...beside }
  }
  const inside = (place: string, { properties, ...schema }: Schema): Schema => {
    const others = mapSubschemas(schema, (subschema) => inPlace(`${place}Item`, subschema))
    if (properties === undefined) return others
    const named = Object.entries(properties).map(([key, property]) => [
      key,
      isObject(property) ? inPlace(place + pascal(key), property) : property,
    ])
    return { ...others, properties: Object.fromEntries(named) }
  }
  const own = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inside(name, schema)]))
  const around = withOuterSchemas(document, (schema, place) => inPlace(place, schema))
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

  nameOf(place: string, schema: Schema): string {
    const known = schema.enum === undefined ? undefined : this.enums.get(wordsOf(schema))
    if (known !== undefined) return known
    const name = [place, `${place}Value`].find(
      (candidate) => !(candidate in this.schemas) && isSame(this.added[candidate], schema),
    )
    if (name === undefined) throw new Error(`Two schemas would be called ${place}Value`)
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

/** A class cannot have a member of its own name in some languages: such a schema is called `…Object`. */
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
