/** Schemas of the server form: equivalent to the public ones, in the form that Ajv validates fastest. */

import { mapSubschemas, schemaNameOf, schemaRef, type Schema, type SchemaOrBoolean } from '../document.ts'
import { ContractFaults, faultsIn } from '../faults.ts'
import { dereference, flatten, type Schemas } from './flatten.ts'
import { mergePayloadUnion } from './payload_union.ts'
import { mergeByType } from './type_union.ts'
import { within } from '../fault_locations.ts'

/**
 * Converts requested component schemas, and all that they refer to, to server form. `#top` converts one level and keeps the subschemas;
 * `convert` descends into them. So a union can inspect its variants without endless recursion.
 */
export class ServerSchemas {
  readonly #source: Schemas
  /** merged unions as components, converted one level deep */
  readonly #unions: Record<string, Schema> = {}
  readonly #made: Record<string, Schema> = {}
  readonly #faults: string[] = []

  constructor(source: Schemas) {
    this.#source = source
  }

  /** Server form of a schema in a request body. Also converts the components that it refers to. */
  convert(schema: Schema): Schema {
    return this.#convertTop(this.#top(schema, undefined))
  }

  /**
   * Every converted component, in alphabetical order.
   * @throws ContractFaults with the components that could not be converted
   */
  components(): Record<string, Schema> {
    if (this.#faults.length > 0) throw new ContractFaults(this.#faults)
    return Object.fromEntries(Object.entries(this.#made).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #convertTop(top: Schema): Schema {
    const name = top.$ref === undefined ? undefined : schemaNameOf(top.$ref)
    if (name !== undefined) this.#make(name)
    return mapSubschemas(top, (subschema) => this.convert(subschema))
  }

  #make(name: string): void {
    if (this.#made[name] !== undefined) return
    this.#made[name] = {} // a recursive schema meets its own name during conversion
    try {
      this.#made[name] = within(['components', 'schemas', name], () => this.#convertTop(this.#topOfComponent(name)))
    } catch (error) {
      this.#faults.push(...faultsIn(error))
    }
  }

  #topOfComponent(name: string): Schema {
    const union = this.#unions[name]
    if (union !== undefined) return union
    const source = this.#source[name]
    if (source === undefined) throw new Error(`No such schema: ${name}`)
    return this.#top(source, name)
  }

  /** The schema itself in server form, with unconverted subschemas. `name` if it is a component. */
  #top(schema: Schema, name: string | undefined): Schema {
    if (schema['x-payload-union'] === true)
      return mergePayloadUnion(name ?? 'without a name', this.#payloadVariants(schema), this.#source, computedKeys(schema))
    const { default: _default, ...bare } = flatten(this.#source, schema) // defaults must not be added to bodies of updates
    if (bare.oneOf === undefined) return bare
    if (bare.discriminator !== undefined) return { ...bare, discriminator: { propertyName: bare.discriminator.propertyName } } // Ajv finds the variant by the constants, without a mapping
    return this.#unionOfTypes(bare, bare.oneOf, name) ?? bare
  }

  #payloadVariants(union: Schema): Schema[] {
    return (union.oneOf ?? []).map((variant) => {
      if (typeof variant === 'boolean') throw new Error('true and false cannot be variants of a payload union')
      return flatten(this.#source, dereference(this.#source, variant))
    })
  }

  /** The merged form, as a component of its own if it is inside another schema: EOV does not look into unnamed ones. */
  #unionOfTypes(union: Schema, variants: readonly SchemaOrBoolean[], name: string | undefined): Schema | undefined {
    const { oneOf: _variants, ...beside } = union
    const tops = variants.map((variant) => (typeof variant === 'boolean' ? undefined : this.#topOfVariant(variant)))
    if (Object.keys(beside).some((keyword) => !keyword.startsWith('x-')) || !tops.every((top) => top !== undefined))
      return undefined
    const merged = mergeByType(tops)
    const madeName = unionName(variants)
    if (merged === undefined || name !== undefined || madeName === undefined) return merged
    this.#unions[madeName] ??= merged
    return schemaRef(madeName)
  }

  #topOfVariant(variant: Schema): Schema {
    const target = variant.$ref === undefined ? undefined : schemaNameOf(variant.$ref)
    const top = target === undefined ? this.#top(variant, undefined) : this.#topOfComponent(target)
    return top.$ref === undefined ? top : this.#topOfVariant(top)
  }
}

/** The payload keys that are refused because the service computes them. */
function computedKeys({ 'x-computed': keys }: Schema): string[] {
  return Array.isArray(keys) ? keys.map(String) : []
}

/** `IconRequest` and null -> `NullableIconRequest`; two named variants -> `AOrB`. */
function unionName(variants: readonly SchemaOrBoolean[]): string | undefined {
  const names = variants.flatMap((variant) => {
    const name = typeof variant === 'object' && variant.$ref !== undefined ? schemaNameOf(variant.$ref) : undefined
    return name === undefined ? [] : [name]
  })
  const nullable = variants.some((variant) => typeof variant === 'object' && variant.type === 'null')
  if (names.length + (nullable ? 1 : 0) < variants.length) return undefined
  return `${nullable ? 'Nullable' : ''}${names.join('Or')}`
}
