import {
  isRef,
  publicContract,
  resolve,
  type DeclaredBody,
  type DeclaredOperation,
  type DeclaredParameter,
} from '../harness/contract.ts'

/** Keywords that bound a size or a number, and how far a value is from breaking one: 1 for the first that is refused. */
export const limitKeywords = {
  maxItems: (value, limit) => (Array.isArray(value) ? value.length - limit : undefined),
  minItems: (value, limit) => (Array.isArray(value) ? limit - value.length : undefined),
  maxLength: (value, limit) => (typeof value === 'string' ? lengthOf(value) - limit : undefined),
  minLength: (value, limit) => (typeof value === 'string' ? limit - lengthOf(value) : undefined),
  maximum: (value, limit) => (typeof value === 'number' ? Math.ceil(value - limit) : undefined),
  minimum: (value, limit) => (typeof value === 'number' ? Math.ceil(limit - value) : undefined),
  exclusiveMaximum: (value, limit) => (typeof value === 'number' && value === limit ? 1 : undefined),
  exclusiveMinimum: (value, limit) => (typeof value === 'number' && value === limit ? 1 : undefined),
  maxProperties: (value, limit) => (isObject(value) ? Object.keys(value).length - limit : undefined),
  minProperties: (value, limit) => (isObject(value) ? limit - Object.keys(value).length : undefined),
} satisfies Record<string, (value: unknown, limit: number) => number | undefined>

export type LimitKeyword = keyof typeof limitKeywords
export const isLimitKeyword = (name: string): name is LimitKeyword => Object.hasOwn(limitKeywords, name)

export interface Limit {
  readonly keyword: LimitKeyword
  readonly value: number
}

/** What the contract says of the values below each name: of a property, a parameter or, as `*`, of a map's entries. */
export interface Named {
  readonly words: Map<string, Set<string>>
  readonly limits: Map<string, Limit[]>
}

/** The words of enumerations and the limits of all requests, or of all answers. */
export function declaredValues(direction: 'request' | 'answer'): Named {
  const { paths } = publicContract()
  const found = new Finder()
  for (const item of Object.values(paths))
    for (const operation of Object.values(item))
      if (direction === 'request') found.request(operation)
      else found.answers(operation)
  return { words: found.words, limits: found.limits }
}

class Finder implements Named {
  readonly words = new Map<string, Set<string>>()
  readonly limits = new Map<string, Limit[]>()
  readonly #visited = new Set<string>()
  readonly #components = publicContract().components

  request({ parameters = [], requestBody }: DeclaredOperation): void {
    for (const parameter of parameters) {
      const { name, schema } = resolve<DeclaredParameter>(parameter, this.#components.parameters)
      this.#schema(schema, name)
    }
    this.#bodies(requestBody?.content)
  }

  answers({ responses = {} }: DeclaredOperation): void {
    for (const response of Object.values(responses)) this.#bodies(resolve(response, this.#components.responses).content)
  }

  #bodies(content: Readonly<Record<string, DeclaredBody>> = {}): void {
    for (const { schema } of Object.values(content)) this.#schema(schema, 'body')
  }

  #schema(schema: unknown, name: string): void {
    if (!isObject(schema)) return
    if (isRef(schema)) {
      const visit = `${name} ${schema.$ref}`
      if (this.#visited.has(visit)) return
      this.#visited.add(visit)
      this.#schema(resolve(schema, this.#components.schemas), name)
      return
    }
    for (const [keyword, value] of Object.entries(schema)) this.#keyword(keyword, value, name)
  }

  #keyword(keyword: string, value: unknown, name: string): void {
    if (keyword === 'enum' || keyword === 'const') {
      const words = this.words.get(name) ?? new Set<string>()
      for (const word of [value].flat()) if (typeof word === 'string') words.add(word)
      this.words.set(name, words)
    } else if (isLimitKeyword(keyword) && typeof value === 'number') {
      const limits = this.limits.get(name) ?? []
      if (!limits.some((known) => known.keyword === keyword && known.value === value)) limits.push({ keyword, value })
      this.limits.set(name, limits)
    } else if (keyword === 'properties') {
      for (const [property, schema] of Object.entries(isObject(value) ? value : {})) this.#schema(schema, property)
    } else if (keyword === 'dependentSchemas') {
      for (const schema of Object.values(isObject(value) ? value : {})) this.#schema(schema, name)
    } else if (keyword === 'additionalProperties') this.#schema(value, '*')
    else if (APPLIED_IN_PLACE.has(keyword)) for (const schema of [value].flat()) this.#schema(schema, name)
  }
}

const APPLIED_IN_PLACE = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'then', 'else', 'items'])

function lengthOf(text: string): number {
  let length = 0
  for (const _character of text) length += 1
  return length
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
