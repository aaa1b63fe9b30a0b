/** The variants of unions that the examples show. */

import type { ValidateFunction } from 'ajv'
import { schemaNameOf, type Document, type Schema, type SchemaOrBoolean } from '../../../scripts/generate/document.ts'
import { documentValidator, pointer } from './ajv.ts'
import type { UsedExample } from './public_document.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

export interface UnionVariant {
  union: string
  variant: string
}

/** Variants of the named unions that requests, responses or events can contain. */
export function unionVariants(document: Document): UnionVariant[] {
  const schemas = document.components.schemas ?? {}
  return Object.entries(schemas).flatMap(([union, schema]) => namedVariants(schema).map((variant) => ({ union, variant })))
}

function namedVariants({ oneOf = [] }: Schema): string[] {
  return oneOf.flatMap((variant) =>
    typeof variant === 'object' && variant.$ref !== undefined ? (schemaNameOf(variant.$ref) ?? []) : [],
  )
}

/** Names of the component schemas met while the examples are read along their schemas. */
export function shownVariants(document: Document, examples: readonly UsedExample[]): Set<string> {
  const reader = new Reader(document)
  for (const { value, schema } of examples) reader.read(value, schemaAt(document, schema))
  return reader.shown
}

function schemaAt(document: Document, keys: readonly string[]): SchemaOrBoolean {
  let found: unknown = document
  for (const key of keys) found = isObject(found) ? found[key] : undefined
  return isObject(found) ? found : true
}

/** Walks a value together with its schema, into the variants that the value fits. */
class Reader {
  readonly shown = new Set<string>()
  readonly #schemas: Readonly<Record<string, Schema>>
  readonly #validatorAt: (pointer: string) => ValidateFunction

  constructor(document: Document) {
    this.#schemas = document.components.schemas ?? {}
    this.#validatorAt = documentValidator(document)
  }

  read(value: unknown, schema: SchemaOrBoolean): void {
    if (typeof schema === 'boolean') return
    const target = schema.$ref === undefined ? undefined : schemaNameOf(schema.$ref)
    if (target !== undefined) {
      this.shown.add(target)
      this.read(value, this.#schemas[target] ?? true)
    }
    for (const variant of schema.oneOf ?? []) this.#readVariant(value, variant)
    for (const part of schema.allOf ?? []) this.read(value, part)
    if (Array.isArray(value) && schema.items !== undefined) for (const item of value) this.read(item, schema.items)
    if (isObject(value)) this.#readMembers(value, schema)
  }

  #readMembers(value: Record<string, unknown>, { properties = {}, additionalProperties = false }: Schema): void {
    for (const [key, member] of Object.entries(value)) this.read(member, properties[key] ?? additionalProperties)
  }

  #readVariant(value: unknown, variant: SchemaOrBoolean): void {
    if (typeof variant === 'boolean') return
    const name = variant.$ref === undefined ? undefined : schemaNameOf(variant.$ref)
    if (name === undefined || this.#validatorAt(pointer('components', 'schemas', name))(value)) this.read(value, variant)
  }
}
