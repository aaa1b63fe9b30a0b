import { listOf, schemaOf } from './schema_parts.ts'
import type { JsonSchema } from '../../../server/contract/contract_document.ts'

/** A family of bodies that grow with `size`: members of a list, keys of an object, characters of a text, or levels. */
export interface HostileBodies {
  readonly name: string
  readonly make: (size: number) => unknown
}

type Wrap = (inside: unknown) => unknown

/** The current position in the traversal of a schema. */
interface Way {
  readonly name: string
  readonly wrap: Wrap
  /** Components that are open here, each with the way from its beginning. */
  readonly open: ReadonlyMap<string, Wrap>
}

const FILLERS: readonly (() => unknown)[] = [() => ({}), () => null, () => [], () => 'x', () => ({ x: [{}], type: 'none' })]

/**
 * Bodies that break a schema as often as they can, for every place in it: long lists and texts, objects of many keys, all properties at
 * once, and what leads back to itself nested in itself. A component that stands deeper than
 * the body and its properties is walked through where it is met first.
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

  #walk(schema: JsonSchema, way: Way): HostileBodies[] {
    const name = typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) ?? '') : undefined
    if (name === undefined) return this.#bodiesOf(schema, way)
    const around = way.open.get(name)
    if (around) return [nested(way, around)]
    if (this.#seen.has(name) && way.open.size > 1) return []
    this.#seen.add(name)
    const open = new Map([...way.open, [name, (inside: unknown) => inside] as const])
    return this.#bodiesOf(schemaOf(this.#schemas[name]), { ...way, open })
  }

  #bodiesOf(schema: JsonSchema, way: Way): HostileBodies[] {
    const variants = ['oneOf', 'anyOf', 'allOf'].flatMap((keyword) => listOf(schema[keyword]))
    const properties = Object.entries(schemaOf(schema['properties']))
    const tag = schemaOf(schema['discriminator'])['propertyName']
    return [
      ...wide(schema, way),
      ...(properties.length > 1
        ? [
            mixed(
              way,
              properties.map(([key]) => key),
            ),
          ]
        : []),
      ...variants.flatMap((variant) => this.#walk(variant, typeof tag === 'string' ? this.#tagged(variant, tag, way) : way)),
      ...properties.flatMap(([key, member]) =>
        this.#walk(
          schemaOf(member),
          step(way, `.${key}`, (inside) => ({ [key]: inside })),
        ),
      ),
      ...(isSchema(schema['items'])
        ? this.#walk(
            schema['items'],
            step(way, '[]', (inside) => [inside]),
          )
        : []),
      ...(isSchema(schema['additionalProperties'])
        ? this.#walk(
            schema['additionalProperties'],
            step(way, '.*', (inside) => ({ k: inside })),
          )
        : []),
    ]
  }

  /** A variant is looked at where the tag names it. */
  #tagged(variant: JsonSchema, tag: string, way: Way): Way {
    const component = schemaOf(this.#schemas[String(variant['$ref']).split('/').at(-1) ?? ''])
    const { const: only, enum: several } = schemaOf(schemaOf(component['properties'])[tag])
    const value: unknown = only ?? (Array.isArray(several) ? several[0] : undefined)
    return step(way, `<${String(value)}>`, (inside) =>
      typeof inside === 'object' && inside !== null && !Array.isArray(inside) ? { [tag]: value, ...inside } : inside,
    )
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function step(way: Way, name: string, inner: Wrap): Way {
  const open = new Map([...way.open].map(([component, wrap]) => [component, (inside: unknown) => wrap(inner(inside))] as const))
  return { name: way.name + name, wrap: (inside) => way.wrap(inner(inside)), open }
}

function wide(schema: JsonSchema, { name, wrap }: Way): HostileBodies[] {
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

function mixed({ name, wrap }: Way, keys: readonly string[]): HostileBodies {
  const make = (size: number): unknown =>
    wrap(Object.fromEntries(keys.map((key) => [key, list(Math.ceil(size / keys.length), () => ({ [key]: [{}, null] }))])))
  return { name: `${name}: a list in every property`, make }
}

/** @param around leads from the component that is open to where it stands again */
function nested({ name, wrap }: Way, around: Wrap): HostileBodies {
  const make = (size: number): unknown => {
    let inside: unknown = { x: 1 }
    for (let level = 0; level < Math.min(size, LEVELS_MAX); level += 1) inside = around(inside)
    return wrap(inside)
  }
  return { name: `${name}: nested in itself`, make }
}

/** Deeper bodies are refused before they are validated: 64 levels; one step through a schema may take two. */
const LEVELS_MAX = 30

function list<T>(size: number, make: (index: number) => T): T[] {
  return Array.from({ length: size }, (_none, index) => make(index))
}
