/** Examples of requests in the form of a release date: renamed as the steps say; what does not fit then is left out. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { formats } from '../../../server/contract/formats.ts'
import {
  isObject,
  isReference,
  operationsOf,
  requestBodyOf,
  resolve,
  schemaNameOf,
  type Document,
  type Example,
  type JsonValue,
  type MediaType,
  type Schema,
  type SchemaOrBoolean,
} from '../document.ts'

type Schemas = Record<string, Schema>

/** Names of properties of one release, by component and name in the release after. */
export type Renames = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Every JSON request body that has examples. */
function bodiesWithExamples(document: Document): { media: MediaType; examples: Record<string, unknown> }[] {
  return operationsOf(document).flatMap(({ operation }) => {
    const media = requestBodyOf(document, operation)?.content['application/json']
    return media?.examples ? [{ media, examples: media.examples }] : []
  })
}

/** Renames what the examples of requests hold, in place. @param newer the schemas that the examples fit */
export function renameInRequests(document: Document, newer: Schemas, renames: Renames): void {
  if (renames.size === 0) return
  for (const { media, examples } of bodiesWithExamples(document)) {
    for (const reference of Object.values(examples)) {
      const example = isObject(reference) ? resolve<Example>(document, reference) : undefined
      if (example?.value !== undefined && media.schema) example.value = renamedValue(example.value, media.schema, newer, renames)
    }
  }
}

function renamedValue(value: JsonValue, schema: SchemaOrBoolean, schemas: Schemas, renames: Renames): JsonValue {
  if (typeof schema === 'boolean') return value
  const name = schema.$ref === undefined ? undefined : schemaNameOf(schema.$ref)
  if (name !== undefined) {
    const inner = renamedValue(value, schemas[name] ?? {}, schemas, renames)
    const names = renames.get(name)
    return names && isObject(inner) ? withOlderNames(inner, names) : inner
  }
  if (Array.isArray(value)) return value.map((item) => renamedValue(item, schema.items ?? true, schemas, renames))
  if (!isObject(value)) return value
  const variant = variantOf(value, schema.oneOf ?? [], schemas)
  if (variant !== undefined) return renamedValue(value, variant, schemas, renames)
  let result: JsonValue = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      renamedValue(item, schema.properties?.[key] ?? schema.additionalProperties ?? true, schemas, renames),
    ]),
  )
  for (const base of schema.allOf ?? []) result = renamedValue(result, base, schemas, renames)
  return result
}

function withOlderNames(value: { [key: string]: JsonValue }, names: Readonly<Record<string, string>>): JsonValue {
  const tag = value['type']
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      names[key] ?? key,
      key === 'type' && typeof tag === 'string' ? (names[tag] ?? tag) : item,
    ]),
  )
}

/** The variant of a union that a value is of: by its payload key, or as the one that has none. */
function variantOf(value: object, variants: readonly SchemaOrBoolean[], schemas: Schemas): Schema | undefined {
  const objects = variants.filter((variant) => isObject(variant))
  const keyOf = ({ $ref }: Schema): string | undefined => schemas[schemaNameOf($ref ?? '') ?? '']?.['x-payload-key']
  const byKey = objects.find((variant) => Object.hasOwn(value, keyOf(variant) ?? ''))
  return byKey ?? objects.find((variant) => variant.$ref !== undefined && keyOf(variant) === undefined)
}

/**
 * Takes the examples of requests away that do not fit the contract, and their components.
 * @param gone names of those that did not fit a later release; this one's are added
 */
export function withoutMisfits(document: Document, gone: Set<string>): Document {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } })
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate: accepts })
  ajv.addFormat('uri', { type: 'string', validate: (text) => URL.canParse(text) })
  ajv.addSchema({ $id: 'contract:', components: { schemas: document.components.schemas } })
  const kept = structuredClone(document)
  for (const { media, examples } of bodiesWithExamples(kept)) {
    const ref = media.schema?.$ref
    const validate = ref === undefined ? undefined : ajv.getSchema(`contract:${ref}`)
    for (const [key, reference] of Object.entries(examples)) {
      if (!validate || !isReference(reference)) continue
      const name = reference.$ref.split('/').at(-1) ?? ''
      if (!gone.has(name) && validate(resolve<Example>(kept, reference).value)) continue
      delete examples[key]
      gone.add(name)
    }
  }
  const { examples = {} } = kept.components
  kept.components.examples = Object.fromEntries(Object.entries(examples).filter(([name]) => !gone.has(name)))
  return kept
}
