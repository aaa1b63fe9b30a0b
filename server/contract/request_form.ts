import { isObject } from '../kernel/is_object.ts'

/** The parts of a contract schema that decide what a request may contain. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema | boolean>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly minItems?: number
  readonly readOnly?: boolean
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
  readonly 'x-payload-union'?: boolean
  readonly 'x-payload-key'?: string
}

/** The bundled contract. */
export interface SchemaDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const POINTER = '#/components/schemas/'

/**
 * Turns data from responses into valid request bodies: responses have members that requests do not accept, and values that they
 * refuse. The request schemas of the contract decide, so this code names no type of block, property or view.
 */
export class RequestForm {
  readonly #schemas: Readonly<Record<string, Schema>>

  constructor(document: SchemaDocument) {
    this.#schemas = document.components.schemas
  }

  /** The part of a value that a request schema accepts; undefined if it accepts none, or if a required member is missing. */
  of(name: string, value: unknown): unknown {
    return this.#fit({ $ref: POINTER + name }, value)
  }

  /** Whether a union of request schemas accepts a kind of record, named by the member that holds its content. */
  takes(union: string, kind: string): boolean {
    return this.#branch(this.#resolve({ $ref: POINTER + union }), kind) !== undefined
  }

  /** Every kind of record that a union of request schemas accepts, by the member that holds its content. */
  kinds(union: string): readonly string[] {
    const { oneOf = [] } = this.#resolve({ $ref: POINTER + union })
    return oneOf.flatMap((branch) => this.#resolve(branch)['x-payload-key'] ?? [])
  }

  /** The least number of children that a block is created with; undefined if it is created without children. */
  childrenMin(union: string, kind: string): number | undefined {
    const branch = this.#branch(this.#resolve({ $ref: POINTER + union }), kind)
    const content = branch && this.#membersOf(this.#resolve(branch)).properties.get(kind)
    if (content === undefined || typeof content === 'boolean') return undefined
    const { properties, required } = this.#membersOf(this.#resolve(content))
    const children = properties.get('children')
    if (children === undefined || typeof children === 'boolean' || !required.has('children')) return undefined
    return this.#resolve(children).minItems ?? 0
  }

  #fit(given: Schema | boolean, value: unknown): unknown {
    if (given === false || value === undefined) return undefined
    if (given === true) return value
    const schema = this.#resolve(given)
    if (schema.readOnly) return undefined
    const branches = schema.oneOf ?? schema.anyOf
    if (branches) return this.#fitOne(schema, branches, value)
    if (Array.isArray(value)) return this.#fitList(schema, value)
    if (isObject(value)) return this.#fitObject(schema, value)
    return isAllowed(schema, value) ? value : undefined
  }

  #fitOne(schema: Schema, branches: readonly Schema[], value: unknown): unknown {
    if (schema['x-payload-union'] && isObject(value)) {
      const kind = String(value['type'])
      const kinds = [kind, ...Object.keys(value)]
      const branch = kinds.map((key) => (Object.hasOwn(value, key) ? this.#branch(schema, key) : undefined)).find(Boolean)
      return branch && this.#fit(branch, value)
    }
    if (schema.discriminator && isObject(value)) {
      const target = schema.discriminator.mapping[String(value[schema.discriminator.propertyName])]
      return target === undefined ? undefined : this.#fit({ $ref: target }, value)
    }
    return branches.map((branch) => this.#fit(branch, value)).find((fitted) => fitted !== undefined)
  }

  #fitList({ type, items }: Schema, value: readonly unknown[]): unknown {
    if (!namesType(type, 'array')) return undefined
    return items ? value.map((item) => this.#fit(items, item)).filter((item) => item !== undefined) : value
  }

  #fitObject(schema: Schema, value: Readonly<Record<string, unknown>>): unknown {
    if (!namesType(schema.type, 'object')) return undefined
    const { properties, required, additional } = this.#membersOf(schema)
    const kept = Object.entries(value).map(
      ([key, member]) => [key, this.#fit(properties.get(key) ?? additional, member)] as const,
    )
    const fitted = Object.fromEntries(kept.filter(([, member]) => member !== undefined))
    return [...required].every((key) => Object.hasOwn(fitted, key)) ? fitted : undefined
  }

  /** The members of an object schema and of the schemas that it combines. */
  #membersOf(schema: Schema): {
    properties: Map<string, Schema | boolean>
    required: Set<string>
    additional: Schema | boolean
  } {
    const parts = (schema.allOf ?? []).map((part) => this.#membersOf(this.#resolve(part)))
    const properties = new Map(parts.flatMap((part) => [...part.properties]))
    for (const [key, member] of Object.entries(schema.properties ?? {})) properties.set(key, member)
    const required = new Set([...parts.flatMap((part) => [...part.required]), ...(schema.required ?? [])])
    // Without declared members an object accepts any, unless the schema says otherwise.
    return { properties, required, additional: schema.additionalProperties ?? properties.size === 0 }
  }

  #branch(schema: Schema, key: string): Schema | undefined {
    return schema.oneOf?.find((branch) => this.#resolve(branch)['x-payload-key'] === key)
  }

  #resolve(schema: Schema): Schema {
    const { $ref, ...beside } = schema
    if ($ref === undefined) return schema
    const target = this.#schemas[$ref.slice(POINTER.length)]
    if (!target) throw new RangeError(`the contract has no schema ${$ref}`)
    return this.#resolve({ ...target, ...beside })
  }
}

function isAllowed(schema: Schema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value
  if (schema.enum) return schema.enum.includes(value)
  const type = value === null ? 'null' : typeof value
  return namesType(schema.type, type) || (type === 'number' && Number.isInteger(value) && namesType(schema.type, 'integer'))
}

function namesType(types: Schema['type'], type: string): boolean {
  return types === undefined || types === type || (Array.isArray(types) && types.includes(type))
}
