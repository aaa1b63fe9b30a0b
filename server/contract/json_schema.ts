import type { Schema } from './document.ts'

const COMPONENT = '#/components/schemas/'
const DEFINITION = '#/$defs/'
/** Those that JSON Schema itself defines, of those that the contract uses. */
const STANDARD_FORMATS = new Set(['date', 'date-time', 'uri', 'uuid'])

/** Schemas by name: `components.schemas` of a contract. */
export type Schemas = Readonly<Record<string, Schema>>

/**
 * A schema of a contract as a file of JSON Schema 2020-12 that needs nothing beside it: what it refers to is in `$defs`, and keywords that
 * only OpenAPI or this contract knows are left out. The name of a custom format is in `$comment`.
 * @param id the address that the file says it has
 */
export function jsonSchemaOf(schemas: Schemas, name: string, id: string): Schema | undefined {
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  if (schema === undefined) return undefined
  const { [name]: _self, ...others } = definitionsOf(schemas, schema)
  const standard = Object.entries(others).map(([key, other]) => [key, standardSchema(other)])
  const whole: Schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title: name,
    ...standardSchema(withReferences(schema, definitionOf)),
    ...(standard.length === 0 ? {} : { $defs: Object.fromEntries(standard) }),
  }
  return withReferences(whole, (ref) => (ref === DEFINITION + name ? '#' : ref))
}

/** A schema with what it refers to in `$defs`: it needs nothing beside it. */
export function withDefinitions(schemas: Schemas, schema: Schema): Schema {
  return { ...withReferences(schema, definitionOf), $defs: definitionsOf(schemas, schema) }
}

/** All schemas that one refers to, itself included where it does so again, by name; their references lead to `$defs`. */
function definitionsOf(schemas: Schemas, schema: Schema): Schemas {
  const found = new Map<string, Schema>()
  const find = (value: Schema): void => {
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

/** A copy of a schema whose references are other ones. */
function withReferences(schema: Schema, change: (ref: string) => string): Schema {
  return mapSchemas(schema, (copy) => (typeof copy['$ref'] === 'string' ? { ...copy, $ref: change(copy['$ref']) } : copy))
}

function standardSchema(schema: Schema): Schema {
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

/** A copy of a schema in which `change` has seen every schema, innermost first. */
function mapSchemas(schema: Schema, change: (schema: Schema) => Schema): Schema {
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

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
