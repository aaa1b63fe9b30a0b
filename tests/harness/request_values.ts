import fc from 'fast-check'
import type { OperationId } from '../../generated/operations.ts'
import { isLimitKeyword, isObject, type Limit, type LimitKeyword } from '../completeness/values.ts'
import type { CallParts } from './caller.ts'
import { isRef, publicContract, resolve, type DeclaredOperation, type DeclaredParameter } from './contract.ts'
import type { Json } from './json.ts'
import { Samples } from '../../scripts/samples.ts'

/** A path in the request of an operation, with the schema of the value. */
export interface Spot {
  readonly operation: OperationId
  /** The path as in errors: `body.children[0].paragraph`. */
  readonly location: string
  /** The key of the value, or `*` in a map. */
  readonly name: string
  readonly schema: SchemaObject
  /** A request that is valid except, possibly, for the value at this path. */
  request(value: unknown): CallParts
}

type SchemaObject = Readonly<Record<string, unknown>>

const { components, paths } = publicContract()
const samples = new Samples(components.schemas as Readonly<Record<string, Record<string, unknown>>>)
const seed = fc.sample(fc.gen(), { numRuns: 1, seed: 1 })[0] as fc.GeneratorValue
/** Depths at which samples have few and many optional keys. */
const [POOR, RICH] = [10, 5]

/** A value that a schema allows, by default with few optional keys. */
export function sampleOf(schema: object, depth = POOR): Json {
  return samples.draw(schema as Record<string, unknown>, seed, depth)
}

/** Every path in requests of the contract. A schema is visited once for each key that it is used under. */
export function* requestSpots(): Generator<Spot> {
  const visited = new Set<string>()
  for (const [id, operation] of declaredOperations()) {
    const visitor = new Visitor(id, visited)
    yield* visitor.parameters(operation)
    yield* visitor.body(operation)
  }
}

/** Like `requestSpots`, for the body of one operation. */
export function* bodySpots(wanted: OperationId): Generator<Spot> {
  for (const [id, operation] of declaredOperations()) if (id === wanted) yield* new Visitor(id, new Set()).body(operation)
}

function* declaredOperations(): Generator<[OperationId, DeclaredOperation]> {
  for (const item of Object.values(paths))
    for (const operation of Object.values(item))
      yield [(operation as { readonly operationId: OperationId }).operationId, operation]
}

type Wrap = (value: unknown) => CallParts

class Visitor {
  readonly #operation: OperationId
  readonly #visited: Set<string>

  /** @param visited the visited schemas, with the keys they are used under */
  constructor(operation: OperationId, visited: Set<string>) {
    this.#operation = operation
    this.#visited = visited
  }

  *parameters({ parameters = [] }: DeclaredOperation): Generator<Spot> {
    for (const parameter of parameters) {
      const { name, in: where, schema } = resolve<DeclaredParameter>(parameter, components.parameters)
      const wrap: Wrap = (value) => ({ [where === 'header' ? 'headers' : where]: { [name]: value } }) as CallParts
      yield* this.#visit(schema, name, where === 'header' ? `${name} header` : `${where}.${name}`, wrap)
    }
  }

  *body({ requestBody }: DeclaredOperation): Generator<Spot> {
    const schema = requestBody?.content?.['application/json']?.schema
    if (schema !== undefined) yield* this.#visit(schema, 'body', 'body', (body) => ({ body }))
  }

  *#visit(schema: unknown, name: string, location: string, wrap: Wrap): Generator<Spot> {
    if (!isObject(schema)) return
    if (isRef(schema)) {
      const key = `${name} ${schema.$ref}`
      if (this.#visited.has(key)) return
      this.#visited.add(key)
      yield* this.#visit(resolve(schema, components.schemas), name, location, wrap)
      return
    }
    yield { operation: this.#operation, location, name, schema, request: wrap }
    for (const variant of [schema['oneOf'], schema['anyOf'], schema['allOf']].flat()) {
      if (isObject(variant)) yield* this.#visit(variant, name, location, (value) => wrap(withSiblings(schema, value)))
    }
    yield* this.#properties(schema, location, wrap)
    if (isObject(schema['items'])) {
      const fill = sampleOf({ ...schema, type: 'array', maxItems: schema['minItems'] ?? 0 }) as Json[]
      yield* this.#visit(schema['items'], name, `${location}[0]`, (value) => wrap([value, ...fill.slice(1)]))
    }
  }

  *#properties(whole: SchemaObject, location: string, wrap: Wrap): Generator<Spot> {
    const { properties, additionalProperties } = whole
    const schema = withoutReadOnly(whole)
    const others = (name: string): object => {
      const { [name]: _old, ...rest } = sampleOf({ ...schema, minProperties: 0 }, seed(fc.constantFrom, POOR, RICH)) as Record<
        string,
        Json
      >
      return rest
    }
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {}))
      yield* this.#visit(property, name, `${location}.${name}`, (value) => wrap({ ...others(name), [name]: value }))
    if (isObject(additionalProperties))
      yield* this.#visit(additionalProperties, '*', `${location}.Stage`, (value) => wrap({ ...others('Stage'), Stage: value }))
  }
}

/** Without the optional members that the service ignores: with them, few samples would fit a union. */
function withoutReadOnly(schema: SchemaObject): SchemaObject {
  const { properties, required = [] } = schema
  if (!isObject(properties)) return schema
  const written = Object.entries(properties).filter(
    ([name, property]) => (required as readonly string[]).includes(name) || !isObject(property) || property['readOnly'] !== true,
  )
  return { ...schema, properties: Object.fromEntries(written) }
}

/** Completes the value of a variant with the properties beside the variants, sometimes with those that other variants require. */
function withSiblings({ oneOf, anyOf, allOf, ...schema }: SchemaObject, value: unknown): unknown {
  if (!isObject(value)) return value
  const isWhole = seed(fc.boolean)
  const whole = isWhole ? { ...schema, oneOf, anyOf, allOf } : schema
  const shared = isWhole || isObject(schema['properties']) ? sampleOf({ ...whole, minProperties: 0 }) : {}
  return isObject(shared) ? { ...shared, ...value } : value
}

/** The limits that a schema itself states. */
export function limitsOf(schema: SchemaObject): Limit[] {
  return Object.entries(schema).flatMap(([keyword, value]) =>
    isLimitKeyword(keyword) && typeof value === 'number' ? [{ keyword, value }] : [],
  )
}

const sized: Readonly<Record<LimitKeyword, (schema: SchemaObject, limit: number, beyond: 0 | 1) => unknown>> = {
  maxItems: (schema, limit, beyond) => listOf(schema, limit + beyond),
  minItems: (schema, limit, beyond) => listOf(schema, limit - beyond),
  maxLength: (_schema, limit, beyond) => 'x'.repeat(limit + beyond),
  minLength: (_schema, limit, beyond) => 'x'.repeat(limit - beyond),
  maximum: (_schema, limit, beyond) => limit + beyond,
  minimum: (_schema, limit, beyond) => limit - beyond,
  exclusiveMaximum: (_schema, limit, beyond) => limit - 1 + beyond,
  exclusiveMinimum: (_schema, limit, beyond) => limit + 1 - beyond,
  multipleOf: (_schema, limit, beyond) => limit + beyond / 2,
  maxProperties: (schema, limit, beyond) => mapOf(schema, limit + beyond),
  minProperties: (schema, limit, beyond) => mapOf(schema, limit - beyond),
}

/** A value at a limit or, with `beyond`, the nearest one that violates it. */
export function valueAt(schema: SchemaObject, { keyword, value }: Limit, beyond: 0 | 1): unknown {
  return sized[keyword](schema, value, beyond)
}

function listOf({ items }: SchemaObject, length: number): unknown[] {
  const item = isObject(items) ? resolve(items, components.schemas) : {}
  if ('type' in item && item.type === 'string' && !('format' in item) && !('pattern' in item))
    return Array.from({ length }, () => 'x')
  return Array.from({ length }, () => sampleOf(isObject(items) ? items : {}))
}

function mapOf(schema: SchemaObject, size: number): object {
  const { properties, additionalProperties } = schema
  const known = Object.entries(isObject(properties) ? properties : {})
  const entries = Array.from({ length: size }, (_none, index) => {
    const [name, property] = known[index] ?? [`Name ${index}`, additionalProperties]
    return [name, sampleOf(isObject(property) ? property : {})]
  })
  return Object.fromEntries(entries) as object
}
