/** The locations of branded values: schemas with `x-branded`, and the schemas that lead to them from requests and responses. */

import type { BrandedOperation, BrandedLocation } from '../../generated/branded_values.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import {
  isReference,
  operationsOf,
  parametersOf,
  requestBodyOf,
  resolve,
  schemaNameOf,
  webhooksOf,
  type Document,
  type MediaType,
  type OperationObject,
  type PlacedOperation,
  type ResponseObject,
  type Schema,
} from './document.ts'
import { banner, typescriptLiteral } from './text.ts'

/**
 * The text of `branded_values.ts`.
 * @throws Error for branded values in events or streams, which the service sends unchanged
 */
export function brandedValuesModule(document: Document): string {
  const locations = new BrandedLocations(document)
  const inEvents = webhooksOf(document).filter(({ operation }) => locations.ofBody(operation) !== undefined)
  if (inEvents.length > 0)
    throw new Error(`x-branded: the event ${inEvents[0]?.path} has such values, which webhooks do not translate`)
  const operations = operationsOf(document).flatMap((placed) => {
    const found = locations.ofOperation(placed)
    return Object.keys(found).length === 0 ? [] : [[placed.operation.operationId, found] as const]
  })
  const rows = (entries: readonly (readonly [string, object])[]): string =>
    entries.map(([name, location]) => `  ${name}: ${typescriptLiteral(location)},\n`).join('')
  return `${banner('Locations of values with the name of the brand in requests and responses.')}
${types}
/** Schemas that have such values, or lead to them. */
export const brandedSchemas: Readonly<Record<string, BrandedLocation>> = {
${rows([...locations.schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)))}};

/** Operations whose requests or responses have such values. */
export const brandedOperations: Readonly<Record<string, BrandedOperation>> = {
${rows(operations)}};
`
}

const types = `/** Where branded values are in a value of a schema. The parts of a location all apply to the same value. */
export interface BrandedLocation {
  /** The value itself: own value -> its form, in which \`{brand}\` stands for the word of the brand. */
  readonly values?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, BrandedLocation>>
  /** The members that \`members\` does not name. */
  readonly others?: BrandedLocation
  readonly items?: BrandedLocation
  readonly parts?: readonly BrandedLocation[]
  /** A location of \`brandedSchemas\`. */
  readonly schema?: string
  /** Applies only if each of these members that the object has is one of the values, where \`{brand}\` stands for the word. */
  readonly when?: Readonly<Record<string, readonly string[]>>
}

/** The locations of one operation. Members of \`path\` and \`query\` are parameters. */
export interface BrandedOperation {
  readonly path?: BrandedLocation
  readonly query?: BrandedLocation
  readonly body?: BrandedLocation
  readonly response?: BrandedLocation
}
`

export class BrandedLocations {
  /** The locations of the schemas that operations refer to. */
  readonly schemas = new Map<string, BrandedLocation>()
  readonly #document: Document
  /** Names of the schemas that lead to a branded value. */
  readonly #leading: ReadonlySet<string>

  constructor(document: Document) {
    this.#document = document
    this.#leading = leadingSchemas(document.components.schemas ?? {})
  }

  ofOperation(placed: PlacedOperation): BrandedOperation {
    const { operation } = placed
    const found = {
      path: this.#ofParameters(placed, 'path'),
      query: this.#ofParameters(placed, 'query'),
      body: this.ofBody(operation),
      response: this.#ofResponses(operation),
    }
    return withoutUndefined(found)
  }

  ofBody(operation: OperationObject): BrandedLocation | undefined {
    return this.#merged(this.#ofContent(requestBodyOf(this.#document, operation)?.content))
  }

  #ofParameters(placed: PlacedOperation, kind: 'path' | 'query'): BrandedLocation | undefined {
    const parameters = parametersOf(this.#document, placed).filter((parameter) => parameter.in === kind)
    return this.of({ properties: Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, schema])) })
  }

  #ofResponses({ operationId, responses }: OperationObject): BrandedLocation | undefined {
    const contents = Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, response]) => resolve<ResponseObject>(this.#document, response).content ?? {})
    const streams = contents.map((content) => Object.fromEntries(Object.entries(content).filter(([, media]) => isStream(media))))
    if (streams.some((content) => this.#ofContent(content).length > 0))
      throw new Error(`x-branded: the stream of ${operationId} has such values, which streams do not translate`)
    return this.#merged(contents.flatMap((content) => this.#ofContent(content)))
  }

  #ofContent(content: Readonly<Record<string, MediaType>> = {}): BrandedLocation[] {
    return Object.values(content).flatMap(({ schema }) => this.of(schema) ?? [])
  }

  #merged(locations: readonly BrandedLocation[]): BrandedLocation | undefined {
    const different = [...new Map(locations.map((location) => [JSON.stringify(location), location])).values()]
    return different.length > 1 ? { parts: different } : different[0]
  }

  /** The location of a schema; undefined if it leads to no branded value. */
  of(schema: unknown): BrandedLocation | undefined {
    if (!isObject(schema)) return undefined
    if (isReference(schema)) return this.#named(schemaNameOf(schema.$ref))
    const {
      'x-branded': values,
      properties = {},
      patternProperties = {},
      items,
      additionalProperties,
      ...rest
    } = schema as Schema
    const others = this.#merged([additionalProperties, ...Object.values(patternProperties)].flatMap((one) => this.of(one) ?? []))
    const members = Object.entries(properties).flatMap(([name, member]) => {
      const location = this.of(member)
      return location === undefined ? [] : [[name, location] as const]
    })
    const found = withoutUndefined({
      values: isObject(values) ? (values as Record<string, string>) : undefined,
      members: members.length > 0 ? Object.fromEntries(members) : undefined,
      others,
      items: this.of(items),
      parts: this.#parts(rest),
    })
    return Object.keys(found).length > 0 ? found : undefined
  }

  #named(name: string | undefined): BrandedLocation | undefined {
    if (name === undefined || !this.#leading.has(name)) return undefined
    if (!this.schemas.has(name)) {
      this.schemas.set(name, {})
      this.schemas.set(name, this.of(this.#document.components.schemas?.[name]) ?? {})
    }
    return { schema: name }
  }

  #parts(schema: Schema): BrandedLocation[] | undefined {
    const { allOf = [], oneOf = [], anyOf = [], if: _condition, then: whenTrue, else: whenFalse, discriminator } = schema
    const always = [...allOf, whenTrue, whenFalse].flatMap((part) => this.of(part) ?? [])
    const variants = [...oneOf, ...anyOf].flatMap((variant) => {
      const location = this.of(variant)
      if (location === undefined) return []
      const when = this.#conditionsOf(variant, discriminator?.propertyName)
      return [Object.keys(when).length > 0 ? { ...location, when } : location]
    })
    const parts = [...always, ...variants]
    return parts.length > 0 ? parts : undefined
  }

  /**
   * Members whose values distinguish a variant from the others.
   * @param tag the only such member
   */
  #conditionsOf(variant: unknown, tag: string | undefined): Record<string, string[]> {
    if (!isObject(variant)) return {}
    const { allOf = [], properties = {} } = resolve<Schema>(this.#document, variant)
    const own = Object.entries(properties).flatMap(([name, member]) => {
      if (!isObject(member) || (tag !== undefined && name !== tag)) return []
      const { const: only, enum: listed = [only ?? null] } = resolve<Schema>(this.#document, member)
      const values = listed.filter((value) => typeof value === 'string')
      const forms = Object.values(resolve<Schema>(this.#document, member)['x-branded'] ?? {}) as string[]
      return values.length > 0 && values.length === listed.length ? [[name, [...values, ...forms]] as const] : []
    })
    return Object.assign({}, ...allOf.map((part) => this.#conditionsOf(part, tag)), Object.fromEntries(own))
  }
}

function isStream({ 'x-event-stream': stream }: MediaType): boolean {
  return stream !== undefined
}

/** The schemas with `x-branded` somewhere inside, and those that refer to one, at any distance. */
function leadingSchemas(schemas: Readonly<Record<string, Schema>>): ReadonlySet<string> {
  const texts = Object.entries(schemas).map(([name, schema]) => [name, JSON.stringify(schema)] as const)
  const found = new Set(texts.filter(([, text]) => text.includes('"x-branded":')).map(([name]) => name))
  const references = new Map(
    texts.map(([name, text]) => [
      name,
      [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, to = '']) => to),
    ]),
  )
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const [name, targets] of references) if (targets.some((target) => found.has(target))) found.add(name)
  }
  return found
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function withoutUndefined<T extends object>(object: T): Present<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Present<T>
}
