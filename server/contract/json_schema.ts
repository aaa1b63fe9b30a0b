import type { JsonSchema } from './contract_document.ts'

const COMPONENT = '#/components/schemas/'
const DEFINITION = '#/$defs/'
/** The formats of the contract that JSON Schema defines. */
const STANDARD_FORMATS = new Set(['date', 'date-time', 'uri', 'uuid'])

/** The `components.schemas` of a contract, by name. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

/**
 * A schema of a contract as a self-contained JSON Schema (2020-12). Schemas that it refers to are in its `$defs`; keywords of OpenAPI and of
 * this contract are omitted; the name of a custom format is in `$comment`.
 * @param id the value of `$id`
 * @returns undefined if there is no schema of that name
 */
export function jsonSchemaOf(schemas: JsonSchemas, name: string, id: string): JsonSchema | undefined {
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (schema === undefined) return undefined
  const { [name]: _self, ...others } = definitionsOf(schemas, schema)
  const standard = Object.entries(others).map(([key, other]) => [key, standardSchema(other)])
  const whole: JsonSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: name,
    ...standardSchema(withReferences(schema, definitionOf)),
    ...(standard.length === 0 ? {} : { $defs: Object.fromEntries(standard) }),
  }
  return withReferences(whole, (ref) => (ref === DEFINITION + name ? '#' : ref))
}

/** A self-contained copy of a schema: the schemas that it refers to are in its `$defs`. */
export function withDefinitions(schemas: JsonSchemas, schema: JsonSchema): JsonSchema {
  return { ...withReferences(schema, definitionOf), $defs: definitionsOf(schemas, schema) }
}

/**
 * The schemas to which a schema refers directly or indirectly, by name, including itself if it is recursive. Their references lead to
 * `$defs`.
 */
function definitionsOf(schemas: JsonSchemas, schema: JsonSchema): JsonSchemas {
  const found = new Map<string, JsonSchema>()
  const find = (value: JsonSchema): void => {
    withReferences(value, (ref) => {
      const name = ref.startsWith(COMPONENT) ? ref.slice(COMPONENT.length) : undefined
      const named = name === undefined ? undefined : schemas[name]
      if (name !== undefined && named !== undefined && !found.has(name)) {
        found.set(name, named)
        find(named)
      }
      return ref
    })
  }
  find(schema)
  return Object.fromEntries(
    [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, named]) => [name, withReferences(named, definitionOf)]),
  )
}

function definitionOf(ref: string): string {
  return ref.startsWith(COMPONENT) ? DEFINITION + ref.slice(COMPONENT.length) : ref
}

/** A copy of a schema with changed references. */
function withReferences(schema: JsonSchema, change: (ref: string) => string): JsonSchema {
  return mapSchemas(schema, (copy) => (typeof copy['$ref'] === 'string' ? { ...copy, $ref: change(copy['$ref']) } : copy))
}

function standardSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, (copy) =>
    Object.fromEntries(
      Object.entries(copy).flatMap(([keyword, value]) => {
        if (keyword.startsWith('x-') || keyword === 'discriminator' || keyword === 'example') return []
        const isOwn = keyword === 'format' && typeof value === 'string' && !STANDARD_FORMATS.has(value)
        return [isOwn ? ['$comment', `format: ${value}`] : [keyword, value]]
      }),
    ),
  )
}

const HOLDS_ONE = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
])
const HOLDS_LIST = new Set(['allOf', 'oneOf', 'anyOf', 'prefixItems'])
const HOLDS_MAP = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])

/** A copy of a schema to which, and to all of whose subschemas, `change` has been applied, innermost first. */
function mapSchemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const map = (value: unknown): unknown => (isSchema(value) ? mapSchemas(value, change) : value)
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (HOLDS_ONE.has(keyword)) return [keyword, map(value)]
    if (HOLDS_LIST.has(keyword) && Array.isArray(value)) return [keyword, value.map(map)]
    if (HOLDS_MAP.has(keyword) && isSchema(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, map(item)]))]
    return [keyword, value]
  })
  return change(Object.fromEntries(entries))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
