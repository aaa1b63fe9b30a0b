/**
 * Types of the parts of an OpenAPI 3.1 document that the generator reads and writes, and the traversals that all steps share. Independent
 * of the rules of this contract.
 */

import { isObject } from '../../server/kernel/is_object.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

export type SchemaOrBoolean = Schema | boolean

/** A JSON Schema (2020-12) as OpenAPI 3.1 uses it. Unknown keywords are kept as they are. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  const?: JsonValue
  enum?: JsonValue[]
  default?: JsonValue
  required?: string[]
  properties?: Record<string, SchemaOrBoolean>
  patternProperties?: Record<string, SchemaOrBoolean>
  additionalProperties?: SchemaOrBoolean
  unevaluatedProperties?: SchemaOrBoolean
  propertyNames?: SchemaOrBoolean
  dependentSchemas?: Record<string, SchemaOrBoolean>
  items?: SchemaOrBoolean
  prefixItems?: SchemaOrBoolean[]
  contains?: SchemaOrBoolean
  allOf?: SchemaOrBoolean[]
  oneOf?: SchemaOrBoolean[]
  anyOf?: SchemaOrBoolean[]
  not?: SchemaOrBoolean
  if?: SchemaOrBoolean
  then?: SchemaOrBoolean
  else?: SchemaOrBoolean
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  'x-payload-union'?: boolean
  'x-payload-key'?: string
  /** keys among `required` → the first release that requires them */
  'x-required-since'?: Record<string, string>
  /** additional schema of this service's own responses */
  'x-sent'?: Schema
  [keyword: string]: unknown
}

export interface ReferenceObject {
  $ref: string
  [key: string]: unknown
}

export interface Example {
  summary?: string
  description?: string
  value?: JsonValue
  [key: string]: unknown
}

export interface MediaType {
  schema?: Schema
  examples?: Record<string, Example | ReferenceObject>
  [key: string]: unknown
}

export interface Header {
  description?: string
  required?: boolean
  schema?: Schema
  [key: string]: unknown
}

export interface ResponseObject {
  description: string
  headers?: Record<string, Header | ReferenceObject>
  content?: Record<string, MediaType>
  [key: string]: unknown
}

export interface RequestBody {
  description?: string
  required?: boolean
  content: Record<string, MediaType>
  'x-body-limit'?: number
  [key: string]: unknown
}

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema?: Schema
  [key: string]: unknown
}

export type CapabilityRule = { all: string[] } | { any: string[] } | 'none'

export interface PaginationRule {
  in: 'query' | 'body'
  items: string
  shape: string
}

export type SecurityRequirement = Record<string, string[]>

export interface OperationObject {
  operationId: string
  tags?: string[] | undefined
  summary?: string
  description?: string
  parameters?: (ParameterObject | ReferenceObject)[]
  requestBody?: RequestBody | ReferenceObject
  responses: Record<string, ResponseObject | ReferenceObject>
  security?: SecurityRequirement[]
  'x-capability'?: CapabilityRule
  'x-token-kinds'?: string[]
  'x-credentials'?: string
  'x-available'?: { from?: string; before?: string }
  /** in the sources, the codes that cannot be derived; in the public document, all codes that it can return */
  'x-error-codes'?: string[]
  'x-pagination'?: PaginationRule
  [key: string]: unknown
}

export const methods = ['get', 'post', 'patch', 'delete', 'put'] as const
export type Method = (typeof methods)[number]

export type PathItem = Partial<Record<Method, OperationObject>> & {
  parameters?: (ParameterObject | ReferenceObject)[]
  [key: string]: unknown
}

export interface SecurityScheme {
  type: string
  flows?: Record<string, { scopes: Record<string, string> }>
  [key: string]: unknown
}

export interface Components {
  schemas?: Record<string, Schema>
  parameters?: Record<string, ParameterObject>
  headers?: Record<string, Header>
  responses?: Record<string, ResponseObject>
  requestBodies?: Record<string, RequestBody>
  examples?: Record<string, Example>
  securitySchemes?: Record<string, SecurityScheme>
  [kind: string]: unknown
}

export interface Document {
  openapi: string
  info: { title: string; version: string; [key: string]: unknown }
  servers?: unknown[]
  security?: SecurityRequirement[]
  tags?: { name: string; description?: string }[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components: Components
  [key: string]: unknown
}

export interface PlacedOperation {
  path: string
  method: Method
  item: PathItem
  operation: OperationObject
}

/** Every operation of `paths`, in the order of the table of contents and, within a path, of `methods`. */
export function operationsOf(document: Document): PlacedOperation[] {
  return placedOperations(document.paths)
}

/** The address of the service in its contract, without a trailing slash. */
export function serverAddressOf({ servers: [server] = [] }: Document): string {
  return isObject(server) ? String(server['url']).replace(/\/+$/, '') : ''
}

/** Every operation of `webhooks`, in document order. */
export function webhooksOf(document: Document): PlacedOperation[] {
  return placedOperations(document.webhooks ?? {})
}

function placedOperations(items: Record<string, PathItem>): PlacedOperation[] {
  return Object.entries(items).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, item, operation }]
    }),
  )
}

export function isReference(value: unknown): value is ReferenceObject {
  return isObject(value) && typeof value['$ref'] === 'string'
}

/** `#/components/schemas/Block` -> `Block`; undefined for a reference to anything else. */
export function schemaNameOf(ref: string): string | undefined {
  const prefix = '#/components/schemas/'
  return ref.startsWith(prefix) ? ref.slice(prefix.length) : undefined
}

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** The referenced component, or the value itself. Throws if the component does not exist. */
export function resolve<T extends object>(document: Document, value: T | ReferenceObject): T {
  let current: T | ReferenceObject = value
  while (isReference(current)) current = lookUp<T>(document, current.$ref)
  return current
}

function lookUp<T extends object>(document: Document, ref: string): T | ReferenceObject {
  const [root, section, kind, name, ...rest] = ref.split('/')
  const group = section === 'components' && kind !== undefined ? document.components[kind] : undefined
  const found = isObject(group) && name !== undefined ? group[name] : undefined
  if (root !== '#' || rest.length > 0 || !isObject(found)) throw new Error(`No such component: ${ref}`)
  return found as T // the position of a reference determines the kind of component, as Redocly has checked
}

/** Parameters of an operation, including those of its path item, references resolved. */
export function parametersOf(document: Document, { item, operation }: PlacedOperation): ParameterObject[] {
  return [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    resolve<ParameterObject>(document, parameter),
  )
}

/** The request body of an operation, reference resolved. */
export function requestBodyOf(document: Document, operation: OperationObject): RequestBody | undefined {
  return operation.requestBody === undefined ? undefined : resolve<RequestBody>(document, operation.requestBody)
}

/** Calls `visit` for `value` and every object inside it, outermost first. */
export function walkObjects(value: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walkObjects(item, visit)
  } else if (isObject(value)) {
    visit(value)
    for (const item of Object.values(value)) walkObjects(item, visit)
  }
}

export function mapValues<T, U>(map: Readonly<Record<string, T>>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]))
}

/** Keywords whose value is one schema, a list of schemas, or a map of schemas. */
export const subschemaKeywords = {
  one: ['additionalProperties', 'unevaluatedProperties', 'propertyNames', 'items', 'contains', 'not', 'if', 'then', 'else'],
  list: ['allOf', 'oneOf', 'anyOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs'],
} as const

/** A copy of `schema` in which every direct subschema is replaced by `change(subschema)`; other keywords are kept. */
export function mapSubschemas(schema: Schema, change: (subschema: Schema) => SchemaOrBoolean): Schema {
  const apply = (value: unknown): unknown => (isObject(value) ? change(value) : value)
  const copy: Schema = { ...schema }
  for (const keyword of subschemaKeywords.one) {
    if (isObject(copy[keyword])) Object.assign(copy, { [keyword]: apply(copy[keyword]) })
  }
  for (const keyword of subschemaKeywords.list) {
    const list = copy[keyword]
    if (Array.isArray(list)) copy[keyword] = list.map((item) => (isObject(item) ? change(item) : item))
  }
  for (const keyword of subschemaKeywords.map) {
    const map = copy[keyword]
    if (isObject(map))
      copy[keyword] = Object.fromEntries(Object.entries(map).map(([key, item]) => [key, apply(item)])) as Record<
        string,
        SchemaOrBoolean
      >
  }
  return copy
}

/** Calls `visit` for the schema and every schema inside it, outermost first, without following references. */
export function walkSchema(schema: SchemaOrBoolean, visit: (schema: Schema) => void): void {
  if (typeof schema === 'boolean') return
  visit(schema)
  mapSubschemas(schema, (subschema) => {
    walkSchema(subschema, visit)
    return subschema
  })
}
