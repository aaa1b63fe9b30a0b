import { listOf, schemaOf } from './schema_parts.ts'
import type { JsonSchema } from '../../../server/contract/contract_document.ts'

/** A family of bodies that grow with `size`: members of a list, keys of an object, characters of a text, or levels. */
export interface HostileBodies {
  readonly name: string
  readonly make: (size: number) => unknown
}

type Wrap = (inside: unknown) => unknown

/** The current position in the traversal of a schema. */
interface Position {
  readonly name: string
  readonly wrap: Wrap
  /** Components that are currently open, each with the path from its start. */
  readonly open: ReadonlyMap<string, Wrap>
}

const FILLERS: readonly (() => unknown)[] = [() => ({}), () => null, () => [], () => 'x', () => ({ x: [{}], type: 'none' })]

/**
 * Bodies that violate a schema as often as possible, at every path: long lists and texts, objects of many keys, all properties at once, and
 * recursive schemas nested in themselves. A component below the top-level properties is traversed only at its first occurrence.
 */
export class HostileSchemas {
  readonly #schemas: Readonly<Record<string, JsonSchema>>
  readonly #seen = new Set<string>()

  constructor(schemas: Readonly<Record<string, JsonSchema>>) {
    this.#schemas = schemas
  }

  /** @param schema of a request body @param top the operation's name */
  bodies(schema: JsonSchema, top: string): HostileBodies[] {
    return this.#walk(schema, { name: top, wrap: (inside) => inside, open: new Map() })
  }

  #walk(schema: JsonSchema, position: Position): HostileBodies[] {
    const name = typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? '') : undefined
    if (name === undefined) return this.#bodiesOf(schema, position)
    const around = position.open.get(name)
    if (around) return [nested(position, around)]
    if (this.#seen.has(name) && position.open.size > 1) return []
    this.#seen.add(name)
    const open = new Map([...position.open, [name, (inside: unknown) => inside] as const])
    return this.#bodiesOf(schemaOf(this.#schemas[name]), { ...position, open })
  }

  #bodiesOf(schema: JsonSchema, position: Position): HostileBodies[] {
    const variants = ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => listOf(schema[keyword]))
    const properties = Object.entries(schemaOf(schema['properties']))
    const tag = schemaOf(schema['discriminator'])['propertyName']
    return [
      ...wide(schema, position),
      ...(properties.length > 1
        ? [
            mixed(
              position,
              properties.map(([key]) => key),
            ),
          ]
        : []),
      ...variants.flatMap((variant) =>
        this.#walk(variant, typeof tag === 'string' ? this.#tagged(variant, tag, position) : position),
      ),
      ...properties.flatMap(([key, member]) =>
        this.#walk(
          schemaOf(member),
          step(position, `.${key}`, (inside) => ({ [key]: inside })),
        ),
      ),
      ...(isSchema(schema['items'])
        ? this.#walk(
            schema['items'],
            step(position, '[]', (inside) => [inside]),
          )
        : []),
      ...(isSchema(schema['additionalProperties'])
        ? this.#walk(
            schema['additionalProperties'],
            step(position, '.*', (inside) => ({ k: inside })),
          )
        : []),
    ]
  }

  /** A variant is visited with its tag set. */
  #tagged(variant: JsonSchema, tag: string, position: Position): Position {
    const component = schemaOf(this.#schemas[String(variant['$ref']).split('/').at(-1) ?? ''])
    const { const: only, enum: several } = schemaOf(schemaOf(component['properties'])[tag])
    const value: unknown = only ?? (Array.isArray(several) ? several[0] : undefined)
    return step(position, `<${String(value)}>`, (inside) =>
      typeof inside === 'object' && inside !== null && !Array.isArray(inside) ? { [tag]: value, ...inside } : inside,
    )
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function step(position: Position, name: string, inner: Wrap): Position {
  const open = new Map(
    [...position.open].map(([component, wrap]) => [component, (inside: unknown) => wrap(inner(inside))] as const),
  )
  return { name: position.name + name, wrap: (inside) => position.wrap(inner(inside)), open }
}

function wide(schema: JsonSchema, { name, wrap }: Position): HostileBodies[] {
  const types = [schema['type']].flat()
  const found: HostileBodies[] = []
  if (types.includes('array'))
    found.push(
      { name: `${name}: a list of empty objects`, make: (size) => wrap(list(size, () => ({}))) },
      { name: `${name}: a list of anything`, make: (size) => wrap(list(size, (index) => FILLERS[index % FILLERS.length]?.())) },
    )
  if (types.includes('object') || schema['properties'] !== undefined)
    found.push({
      name: `${name}: an object of many keys`,
      make: (size) =>
        wrap(Object.fromEntries(list(size, (index) => [`k${index}`, FILLERS[index % FILLERS.length]?.()] as const))),
    })
  if (types.includes('string')) found.push({ name: `${name}: a long text`, make: (size) => wrap('é'.repeat(size)) })
  return found
}

function mixed({ name, wrap }: Position, keys: readonly string[]): HostileBodies {
  const make = (size: number): unknown =>
    wrap(Object.fromEntries(keys.map((key) => [key, list(Math.ceil(size / keys.length), () => ({ [key]: [{}, null] }))])))
  return { name: `${name}: a list in every property`, make }
}

/** @param around leads from the open component to its recursion */
function nested({ name, wrap }: Position, around: Wrap): HostileBodies {
  const make = (size: number): unknown => {
    let inside: unknown = { x: 1 }
    for (let level = 0; level < Math.min(size, LEVELS_MAX); level += 1) inside = around(inside)
    return wrap(inside)
  }
  return { name: `${name}: nested in itself`, make }
}

/** Deeper bodies are refused before validation: 64 levels; one step through a schema may take two. */
const LEVELS_MAX = 30

function list<T>(size: number, make: (index: number) => T): T[] {
  return Array.from({ length: size }, (_none, index) => make(index))
}
