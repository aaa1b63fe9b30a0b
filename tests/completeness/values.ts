import {
  isRef,
  publicContract,
  resolve,
  sharedParameters,
  type DeclaredBody,
  type DeclaredOperation,
  type DeclaredParameter,
} from '../harness/contract.ts'

/** Keywords that limit a size or number, with the distance of a value from the limit: 1 for the first refused value. */
export const limitKeywords = {
  maxItems: (value, limit) => (Array.isArray(value) ? value.length - limit : undefined),
  minItems: (value, limit) => (Array.isArray(value) ? limit - value.length : undefined),
  maxLength: (value, limit) => (typeof value === 'string' ? lengthOf(value) - limit : undefined),
  minLength: (value, limit) => (typeof value === 'string' ? limit - lengthOf(value) : undefined),
  maximum: (value, limit) => (typeof value === 'number' ? Math.ceil(value - limit) : undefined),
  minimum: (value, limit) => (typeof value === 'number' ? Math.ceil(limit - value) : undefined),
  exclusiveMaximum: (value, limit) => (typeof value === 'number' && value === limit ? 1 : undefined),
  exclusiveMinimum: (value, limit) => (typeof value === 'number' && value === limit ? 1 : undefined),
  multipleOf: (value, limit) => (typeof value === 'number' && !Number.isInteger(value / limit) ? 1 : undefined),
  maxProperties: (value, limit) => (isObject(value) ? Object.keys(value).length - limit : undefined),
  minProperties: (value, limit) => (isObject(value) ? limit - Object.keys(value).length : undefined),
} satisfies Record<string, (value: unknown, limit: number) => number | undefined>

export type LimitKeyword = keyof typeof limitKeywords
export const isLimitKeyword = (name: string): name is LimitKeyword => Object.hasOwn(limitKeywords, name)

export interface Limit {
  readonly keyword: LimitKeyword
  readonly value: number
}

/** A value of an enumeration, or a constant. */
export type Word = string | number | boolean | null
export const isWord = (value: unknown): value is Word => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** The contract's declarations below each name: of a property, a parameter or, as `*`, of a map's entries. */
export interface Named {
  readonly words: Map<string, Set<Word>>
  readonly limits: Map<string, Limit[]>
}

const OF_KEYS = ' (keys)'
/**
 * The name for the keys of a map.
 * @param name of the map
 */
export const nameOfKeys = (name: string): string => `${name}${OF_KEYS}`
/** How errors call a name: the name itself or, for a header with its own error, the error code. */
export const nameInErrors = (name: string): string => (name === 'Service-Beta' ? 'invalid_beta' : name.replace(OF_KEYS, ''))

export type Direction = 'request' | 'response' | 'event'

/** The words of enumerations and the limits of all requests, all responses or all events. */
export function declaredValues(direction: Direction): Named {
  const { paths, webhooks } = publicContract()
  const found = new Finder()
  for (const item of Object.values(direction === 'event' ? webhooks : paths)) {
    if (direction === 'request') found.parameters(sharedParameters(item))
    for (const operation of Object.values(item).filter(isObject))
      if (direction === 'response') found.responses(operation)
      else found.request(operation)
  }
  return { words: found.words, limits: found.limits }
}

export class Finder implements Named {
  readonly words = new Map<string, Set<Word>>()
  readonly limits = new Map<string, Limit[]>()
  readonly #visited = new Set<string>()
  readonly #components = publicContract().components

  parameters(parameters: DeclaredOperation['parameters'] = []): void {
    for (const parameter of parameters) {
      const { name, schema } = resolve<DeclaredParameter>(parameter, this.#components.parameters)
      this.schema(schema, name)
    }
  }

  request({ parameters, requestBody }: DeclaredOperation): void {
    this.parameters(parameters)
    this.#bodies(requestBody?.content)
  }

  responses({ responses = {} }: DeclaredOperation): void {
    for (const response of Object.values(responses)) this.#bodies(resolve(response, this.#components.responses).content)
  }

  #bodies(content: Readonly<Record<string, DeclaredBody>> = {}): void {
    for (const { schema } of Object.values(content)) this.schema(schema, 'body')
  }

  schema(schema: unknown, name: string): void {
    if (!isObject(schema)) return
    if (isRef(schema) && !this.#visited.has(`${name} ${schema.$ref}`)) {
      this.#visited.add(`${name} ${schema.$ref}`)
      this.schema(resolve(schema, this.#components.schemas), name)
    }
    for (const [keyword, value] of Object.entries(schema)) if (keyword !== '$ref') this.#keyword(keyword, value, name)
  }

  #keyword(keyword: string, value: unknown, name: string): void {
    if (keyword === 'enum' || keyword === 'const') this.#words(name, [value].flat().filter(isWord))
    else if (isLimitKeyword(keyword) && typeof value === 'number') this.#limit(name, { keyword, value })
    else if (keyword === 'pattern' && typeof value === 'string')
      for (const limit of limitsOfPattern(value)) this.#limit(name, limit)
    else if (keyword === 'properties')
      for (const [property, schema] of Object.entries(isObject(value) ? value : {})) this.schema(schema, property)
    else if (keyword === 'propertyNames') this.schema(value, nameOfKeys(name))
    else if (keyword === 'dependentSchemas')
      for (const schema of Object.values(isObject(value) ? value : {})) this.schema(schema, name)
    else if (keyword === 'patternProperties')
      for (const schema of Object.values(isObject(value) ? value : {})) this.schema(schema, '*')
    else if (OF_OTHER_ENTRIES.has(keyword)) this.schema(value, '*')
    else if (APPLIED_IN_PLACE.has(keyword)) for (const schema of [value].flat()) this.schema(schema, name)
    else if (!WITHOUT_VALUES.has(keyword) && !keyword.startsWith('x-'))
      // If you are here because a keyword was thrown: list it above with the values that it applies to, or below if it has none.
      throw new Error(`Nothing says what ${keyword} means for the values of ${name}.`)
  }

  #words(name: string, found: readonly Word[]): void {
    this.words.set(name, (this.words.get(name) ?? new Set()).union(new Set(found)))
  }

  #limit(name: string, limit: Limit): void {
    const limits = this.limits.get(name) ?? []
    if (!limits.some(({ keyword, value }) => keyword === limit.keyword && value === limit.value)) limits.push(limit)
    this.limits.set(name, limits)
  }
}

const APPLIED_IN_PLACE = new Set([
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'items',
  'prefixItems',
  'unevaluatedItems',
  'contains',
])
const OF_OTHER_ENTRIES = new Set(['additionalProperties', 'unevaluatedProperties'])
const WITHOUT_VALUES = new Set([
  'readOnly',
  'type',
  'title',
  'description',
  'format',
  'default',
  'example',
  'examples',
  'deprecated',
  'discriminator',
  'required',
  'dependentRequired',
  'uniqueItems',
  'contentMediaType',
  'contentEncoding',
])

/** The length limit of a pattern with an alternative that repeats a character class. */
function limitsOfPattern(pattern: string): Limit[] {
  const [, whole = ''] = /^\^(?:\(\?:)?(.*?)\)?\??\$$/s.exec(pattern) ?? []
  const [, minimum, maximum = minimum] = /(?:^|\|)\[(?:\\.|[^\]\\])+\]\{(\d+)(?:,(\d+))?\}(?=$|\|)/.exec(whole) ?? []
  if (minimum === undefined) return []
  return [
    { keyword: 'minLength', value: Number(minimum) },
    { keyword: 'maxLength', value: Number(maximum) },
  ]
}

function lengthOf(text: string): number {
  let length = 0
  for (const _character of text) length += 1
  return length
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
