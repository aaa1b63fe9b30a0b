import fc from 'fast-check'
import type { JsonSchema } from '../server/contract/contract_document.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject
type JsonObject = { [key: string]: Json }

/** Draws from arbitraries inside a property. fast-check records every draw, so failures shrink. */
export type DrawValue = fc.GeneratorValue

const DEPTH_RICH_MAX = 5
const ITEMS_EXTRA_MAX = 2
const IDS = ['3af9f30c-5a66-4477-bda9-d8c096d38ff5', '5DF6F817B0994BCFA0EC6DB25097C040', '8c3f846cc6a942d383f84c485e5c4176']

/** A few valid strings for each format and `x-expectation`. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  emoji: ['⛵', '5️⃣', '🇵🇹'],
  'time-zone': ['Europe/Lisbon', 'UTC'],
  'absolute-url': ['https://example.org/a?b#c', 'http://example.org', 'https://example.org/a'],
  'link-url': ['mailto:ines@northshore.example', '/page', 'https://example.org'],
  'iso-date-or-date-time': ['2026-05-16', '2026-05-16T11:40:00Z'],
  'date-time': ['2026-05-16T11:40:00.000Z', '2026-05-16T11:40:00+02:00'],
  date: ['2026-05-16'],
  'native-icon': ['anchor', 'Light Bulb'],
  uuid: ['3af9f30c-5a66-4477-bda9-d8c096d38ff5'],
  email: ['ines@northshore.example'],
  uri: ['https://example.org/'],
  'a valid uuid': IDS,
}

/**
 * Generates values that a schema of the contract, or of its server form, allows. Rules across keys (`dependentSchemas`, `if`) are ignored,
 * so samples must be validated before use.
 */
export class Samples {
  readonly #schemas: Readonly<Record<string, JsonSchema>>
  readonly #unit: 'binary' | 'grapheme-ascii'

  /** @param texts the characters of texts if the schema allows any: all, or printable ones */
  constructor(schemas: Readonly<Record<string, JsonSchema>>, texts: 'any' | 'printable' = 'any') {
    this.#schemas = schemas
    this.#unit = texts === 'any' ? 'binary' : 'grapheme-ascii'
  }

  draw(schema: JsonSchema, draw: DrawValue, depth = 0): Json {
    const known = this.#resolve(schema)
    if ('const' in known) return known['const'] as Json
    if (Array.isArray(known['enum'])) return draw(fc.constantFrom, ...(known['enum'] as Json[]))
    if (isSchema(known['x-payload-keys'])) return this.#payload(known, known['x-payload-keys'], draw, depth)
    const variants = listOf(known['oneOf']).concat(listOf(known['anyOf']))
    if (variants.length > 0) {
      const variant = this.#resolve(draw(fc.constantFrom, ...variants))
      const base = this.#merged(known)
      return base['properties'] === undefined || isEmptySchema(base['properties'])
        ? this.draw(variant, draw, depth)
        : this.#object(merge([base, this.#merged(variant)]), draw, depth)
    }
    if (Array.isArray(known['allOf'])) return this.draw(this.#merged(known), draw, depth)
    return this.#byType(known, draw, depth)
  }

  #resolve(schema: JsonSchema): JsonSchema {
    const ref = schema['$ref']
    if (typeof ref !== 'string') return schema
    const found = this.#schemas[ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`no schema ${ref}`)
    return this.#resolve(found)
  }

  /** A schema merged with those that it extends. */
  #merged(schema: JsonSchema): JsonSchema {
    const parts = listOf(schema['allOf']).map((part) => this.#merged(this.#resolve(part)))
    return parts.length === 0 ? schema : merge([schema, ...parts])
  }

  #byType(schema: JsonSchema, draw: DrawValue, depth: number): Json {
    const types = Array.isArray(schema['type'])
      ? (schema['type'] as string[])
      : [typeof schema['type'] === 'string' ? schema['type'] : impliedType(schema)]
    switch (draw(fc.constantFrom, ...types)) {
      case 'object':
        return this.#object(schema, draw, depth)
      case 'array':
        return this.#array(schema, draw, depth)
      case 'string':
        return text(schema, draw, this.#unit)
      case 'integer':
        return number(schema, draw, true)
      case 'number':
        return number(schema, draw, false)
      case 'boolean':
        return draw(fc.boolean)
      case 'null':
        return null
      default:
        return draw(fc.constantFrom, null, true, 1, 'x')
    }
  }

  /** An object with one of several keys and the keys that may accompany it. */
  #payload(schema: JsonSchema, payloads: JsonSchema, draw: DrawValue, depth: number): JsonObject {
    const key = draw(fc.constantFrom, ...Object.keys(payloads))
    const properties = propertiesOf(schema)
    const beside = Object.fromEntries(
      Object.entries(properties).filter(([name]) => name === key || (!(name in payloads) && name !== 'type')),
    )
    const value = this.#object(
      { ...schema, properties: beside, required: [...listOfNames(schema['required']), key] },
      draw,
      depth,
    )
    return draw(fc.boolean) ? { type: String(payloads[key]), ...value } : value
  }

  #object(schema: JsonSchema, draw: DrawValue, depth: number): JsonObject {
    const properties = propertiesOf(schema)
    const required = listOfNames(schema['required'])
    const most = typeof schema['maxProperties'] === 'number' ? schema['maxProperties'] : Infinity
    const least = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : 0
    const optional = Object.keys(properties).filter(
      (name) => !required.includes(name) && properties[name] !== false && !isEmptySchema(properties[name]),
    )
    const chosen = new Set(required)
    for (const name of draw(fc.shuffledSubarray<string>, optional)) {
      if (chosen.size >= most || (chosen.size >= least && (depth > DEPTH_RICH_MAX || draw(fc.nat, 2) > 0))) break
      chosen.add(name)
    }
    for (const name of optional) if (chosen.size < least) chosen.add(name)
    const object: JsonObject = {}
    for (const name of chosen) object[name] = this.draw(asSchema(properties[name]), draw, depth + 1)
    if (isSchema(schema['additionalProperties']) && depth <= DEPTH_RICH_MAX) {
      for (const name of ['Stage', 'title'].slice(0, draw(fc.nat, 2)))
        object[name] ??= this.draw(schema['additionalProperties'], draw, depth + 1)
    }
    return object
  }

  #array(schema: JsonSchema, draw: DrawValue, depth: number): Json[] {
    const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0
    const most = Math.min(
      typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Infinity,
      least + (depth > DEPTH_RICH_MAX ? 0 : ITEMS_EXTRA_MAX),
    )
    const length = most > least ? least + draw(fc.nat, most - least) : least
    return Array.from({ length }, () => this.draw(asSchema(schema['items']), draw, depth + 1))
  }
}

function text(schema: JsonSchema, draw: DrawValue, unit: 'binary' | 'grapheme-ascii'): string {
  const known = TEXTS[String(schema['format'] ?? schema['x-expectation'] ?? '')]
  if (known) return draw(fc.constantFrom, ...known)
  const least = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0
  const most = Math.min(typeof schema['maxLength'] === 'number' ? schema['maxLength'] : 20, 20)
  if (typeof schema['pattern'] === 'string') return matching(schema['pattern'], draw)
  return draw(fc.string, { minLength: least, maxLength: Math.max(least, most), unit })
}

/** A string for one of the few patterns without a format. */
function matching(pattern: string, draw: DrawValue): string {
  const good = [...IDS, 'a', 'abc', '1', 'x-1', 'https://example.org', '2026-05-16', 'itk_abcdefghijklmnop'].filter((candidate) =>
    new RegExp(pattern, 'u').test(candidate),
  )
  return good.length > 0 ? draw(fc.constantFrom, ...good) : draw(fc.stringMatching, new RegExp(pattern, 'u'))
}

function number(schema: JsonSchema, draw: DrawValue, whole: boolean): number {
  const low =
    typeof schema['minimum'] === 'number'
      ? schema['minimum']
      : typeof schema['exclusiveMinimum'] === 'number'
        ? schema['exclusiveMinimum'] + (whole ? 1 : 0.001)
        : -1000
  const high =
    typeof schema['maximum'] === 'number'
      ? schema['maximum']
      : typeof schema['exclusiveMaximum'] === 'number'
        ? schema['exclusiveMaximum'] - (whole ? 1 : 0.001)
        : Math.max(low, 1000)
  return whole ? draw(fc.integer, { min: low, max: high }) : draw(fc.double, { min: low, max: high, noNaN: true })
}

function impliedType(schema: JsonSchema): string {
  return isSchema(schema['properties']) ? 'object' : schema['items'] === undefined ? 'any' : 'array'
}

function merge(parts: readonly JsonSchema[]): JsonSchema {
  const merged: JsonSchema = {}
  for (const { allOf: _allOf, oneOf: _oneOf, ...part } of parts) {
    Object.assign(merged, part, {
      properties: { ...propertiesOf(merged), ...propertiesOf(part) },
      required: [...listOfNames(merged['required']), ...listOfNames(part['required'])],
    })
  }
  return merged
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asSchema(value: unknown): JsonSchema {
  return isSchema(value) ? value : {}
}

/** `{}` is the schema of keys that are accepted and ignored, so there is nothing to test. */
function isEmptySchema(value: unknown): boolean {
  return isSchema(value) && Object.keys(value).length === 0
}

function propertiesOf(schema: JsonSchema): JsonSchema {
  return asSchema(schema['properties'])
}

function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : []
}

function listOfNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
