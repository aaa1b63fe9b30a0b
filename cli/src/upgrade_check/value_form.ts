import { isObject } from '@workspace-service/server/kernel/is_object.ts'

/** The keywords of a schema that say which values it has. */
export interface ValueSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | ValueSchema
  readonly unevaluatedProperties?: boolean
  readonly items?: ValueSchema
  readonly allOf?: readonly ValueSchema[]
  readonly oneOf?: readonly ValueSchema[]
  readonly anyOf?: readonly ValueSchema[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
}

/** One form of a value: a variant of a union, together with what it extends. */
export interface ValueForm {
  /** Undefined for any type. */
  readonly types: readonly string[] | undefined
  readonly properties: Readonly<Record<string, ValueSchema>>
  readonly required: readonly string[]
  /** Whether other properties are refused. */
  readonly isClosed: boolean
  /** The schema of other properties, if there is one. */
  readonly others: ValueSchema | undefined
  readonly items: ValueSchema | undefined
  /** Undefined for any value. */
  readonly values: readonly unknown[] | undefined
}

export type ValueSchemas = Readonly<Record<string, ValueSchema>>

const known = new WeakMap<ValueSchema, readonly ValueForm[]>()

export function formsOf(schemas: ValueSchemas, schema: ValueSchema): readonly ValueForm[] {
  const before = known.get(schema)
  if (before) return before
  const { $ref, allOf = [], oneOf, anyOf } = schema
  const target = $ref === undefined ? undefined : schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
  const unions = [oneOf, anyOf].flatMap((union) => (union ? [union.flatMap((one) => formsOf(schemas, one))] : []))
  const bases = [...(target ? [target] : []), ...allOf].map((base) => formsOf(schemas, base))
  let forms = [ownForm(schema)]
  for (const others of [...bases, ...unions]) forms = forms.flatMap((form) => others.map((other) => combined(form, other)))
  known.set(schema, forms)
  return forms
}

function ownForm(schema: ValueSchema): ValueForm {
  const { type, properties = {}, required = [], additionalProperties, unevaluatedProperties, items } = schema
  return {
    types: typeof type === 'string' ? [type] : type,
    properties,
    required,
    isClosed: additionalProperties === false || unevaluatedProperties === false,
    others: isObject(additionalProperties) ? additionalProperties : undefined,
    items,
    values: 'const' in schema ? [schema.const] : schema.enum,
  }
}

function combined(a: ValueForm, b: ValueForm): ValueForm {
  return {
    types: common(a.types, b.types),
    properties: { ...b.properties, ...a.properties },
    required: [...a.required, ...b.required],
    isClosed: a.isClosed || b.isClosed,
    others: a.others ?? b.others,
    items: a.items ?? b.items,
    values: common(a.values, b.values),
  }
}

function common<Item>(a: readonly Item[] | undefined, b: readonly Item[] | undefined): readonly Item[] | undefined {
  return a && b ? a.filter((item) => b.includes(item)) : (a ?? b)
}

export function hasType({ types }: ValueForm, type: string): boolean {
  return types?.includes(type) ?? true
}

/** Whether the form describes the property. */
export function knowsKey(form: ValueForm, name: string): boolean {
  return hasType(form, 'object') && (Object.hasOwn(form.properties, name) || form.others !== undefined)
}

/** Whether a value of this form may have the property. */
export function acceptsKey(form: ValueForm, name: string): boolean {
  return hasType(form, 'object') && (knowsKey(form, name) || !form.isClosed)
}
