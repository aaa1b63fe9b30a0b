import { isRef, publicContract, resolve, type DeclaredParameter, type Ref } from './contract.ts'
import type { KnownOperation } from './every_operation.ts'

/** The keywords of a schema that this module reads. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: unknown
  readonly const?: unknown
  readonly 'x-expectation'?: string
  readonly properties?: Readonly<Record<string, Schema | Ref>>
  readonly patternProperties?: Readonly<Record<string, Schema | Ref>>
  readonly additionalProperties?: Schema | Ref | boolean
  readonly items?: Schema | Ref | boolean
  readonly oneOf?: readonly (Schema | Ref)[]
  readonly anyOf?: readonly (Schema | Ref)[]
  readonly allOf?: readonly (Schema | Ref)[]
}

/** Schemas of strings that refer to something but are not ids. */
const NAMES: ReadonlySet<string> = new Set([
  'PropertyIdRequest',
  'PropertyIdEcho',
  'PropertyNameRequest',
  'PropertyReferenceRequest',
  'FilterPropertyName',
  'ViewPropertyKeyRequest',
  'FormulaExpression',
  'MarkdownTextRequest',
  'CommentMarkdownRequest',
  'UserIdOrMe',
])
/** Schemas of references whose target depends on their position. */
const TRANSPARENT: ReadonlySet<string> = new Set(['RecordReferenceRequest', 'FileUploadRef'])
const NAMING_MEMBER = /(?:^|[._])(?:ids?|property|properties|property_name|cursor)(?:\[\])?$/

/** Variants whose references are the same. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^\w+Filter\.property$/, 'Filter.property'],
  [/^\w+GroupByRequest\.property_id$/, 'GroupBy.property_id'],
  [/^(?:\w+PropertyConfigUpdateRequest|PropertyDetailsUpdateRequest)\./, 'PropertyConfigUpdate.'],
  [/^\w+PropertyValueRequest\.id$/, 'PropertyValue.id'],
  [/^(?:Dual|Single)Relation(Config\w*)\.data_source_id$/, 'Relation$1.data_source_id'],
]

/**
 * The paths in requests of an operation that refer to an object by id, name or key, derived from the contract: `path.page_id`, or a schema
 * with the path from there, such as `RecordReferenceRequest.id`.
 */
export function namedPaths({ path, method }: KnownOperation): ReadonlySet<string> {
  const { paths, components } = publicContract()
  const declared = paths[path]?.[method]
  const shared = (paths[path] as { readonly parameters?: readonly (DeclaredParameter | Ref)[] } | undefined)?.parameters ?? []
  const walk = new Walk()
  for (const one of [...shared, ...(declared?.parameters ?? [])]) {
    const { in: where, name, schema } = resolve(one, components.parameters)
    if (where === 'path' || where === 'query') walk.parameter(schema, `${where}.${name}`)
  }
  for (const { schema } of Object.values(declared?.requestBody?.content ?? {})) walk.schema(schema, 'body')
  return walk.locations
}

class Walk {
  readonly locations = new Set<string>()
  readonly #walked = new Set<string>()

  /** Visits a parameter. Every string counts, regardless of its name. */
  parameter(schema: Schema | Ref, path: string): void {
    const target: Schema = resolve(schema, publicContract().components.schemas)
    if (typeof target.items === 'object') this.parameter(target.items, `${path}[]`)
    else if (isText(target)) this.locations.add(path)
    else for (const part of [...(target.oneOf ?? []), ...(target.anyOf ?? [])]) this.parameter(part, path)
  }

  /** @param name the name of the schema, if it has one */
  schema(schema: Schema | Ref, path: string, name = ''): void {
    if (isRef(schema)) return this.#reference(schema, path)
    if (isText(schema)) this.#text(schema, path, name)
    for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) this.schema(part, path)
    for (const [key, part] of Object.entries(schema.properties ?? {})) this.schema(part, `${path}.${key}`)
    const maps = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})]
    for (const part of maps.filter((one) => typeof one === 'object')) {
      this.locations.add(`${path}.*`)
      this.schema(part, `${path}.*`)
    }
    if (typeof schema.items === 'object') this.schema(schema.items, `${path}[]`)
  }

  #reference({ $ref: reference }: Ref, path: string): void {
    const name = reference.split('/').at(-1) ?? ''
    const target: Schema = resolve({ $ref: reference }, publicContract().components.schemas)
    if (isText(target) || TRANSPARENT.has(name)) return this.schema(target, path, name)
    if (this.#walked.has(name)) return
    this.#walked.add(name)
    this.schema(target, name)
  }

  #text(schema: Schema, path: string, name: string): void {
    if (schema['x-expectation'] === 'a valid uuid' || NAMES.has(name) || NAMING_MEMBER.test(path))
      this.locations.add(FAMILIES.reduce((form, [pattern, family]) => form.replace(pattern, family), path))
  }
}

function isText({ type, enum: options, const: constant }: Schema): boolean {
  return (
    (type === 'string' || (Array.isArray(type) && type.includes('string'))) && options === undefined && constant === undefined
  )
}
