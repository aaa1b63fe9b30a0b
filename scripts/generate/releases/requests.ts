/** Request examples in the form of a release date: renamed by the steps. Examples that are invalid then are left out. */

import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { formats } from '../../../server/contract/formats.ts'
import { changedComponents, statesOfSchemas } from '../changed.ts'
import {
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
import { isObject } from '../../../server/kernel/is_object.ts'

type Schemas = Record<string, Schema>

/** Renamed properties of one release, by component and by name in the next release. */
export type Renames = ReadonlyMap<string, Readonly<Record<string, string>>>

/** Every JSON request body that has examples. */
function bodiesWithExamples(document: Document): { media: MediaType; examples: Record<string, unknown> }[] {
  return operationsOf(document).flatMap(({ operation }) => {
    const media = requestBodyOf(document, operation)?.content['application/json']
    return media?.examples ? [{ media, examples: media.examples }] : []
  })
}

/**
 * Renames the members of request examples in place.
 * @param newer the schemas that the examples fit
 */
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

/** The variant of a union that a value has: by its payload key, or the one without payload. */
function variantOf(value: object, variants: readonly SchemaOrBoolean[], schemas: Schemas): Schema | undefined {
  const objects = variants.filter((variant) => isObject(variant))
  const keyOf = ({ $ref }: Schema): string | undefined => schemas[schemaNameOf($ref ?? '') ?? '']?.['x-payload-key']
  const byKey = objects.find((variant) => Object.hasOwn(value, keyOf(variant) ?? ''))
  return byKey ?? objects.find((variant) => variant.$ref !== undefined && keyOf(variant) === undefined)
}

/** Results of checking request examples, release by release. */
export class JudgedExamples {
  readonly #gone = new Set<string>()
  /** by hash of a schema with all its references, and example */
  readonly #verdicts = new Map<string, boolean>()
  #fitting: ReadonlySet<string>
  #document: Document

  /** @param newest the contract that every example fits, as `npm run lint` ensures */
  constructor(newest: Document) {
    this.#document = newest
    this.#fitting = new Set(
      bodiesWithExamples(newest)
        .flatMap(pairsOf)
        .map(({ pair }) => pair),
    )
  }

  /**
   * The previous release's contract without request examples that do not fit it, or a later one. Unchanged examples are not checked again.
   */
  without(document: Document): Document {
    const changed = changedComponents(this.#document, document)
    const fitsIn = this.#judge(document)
    const kept = structuredClone(document)
    const fitting = new Set<string>()
    for (const body of bodiesWithExamples(kept)) {
      for (const { key, name, schema, pair } of pairsOf(body)) {
        const isSame = this.#fitting.has(pair) && !changed.has(`examples/${name}`) && !changed.has(`schemas/${schema}`)
        const fits = !this.#gone.has(name) && (isSame || fitsIn(schema, kept.components.examples?.[name]?.value))
        if (fits) fitting.add(pair)
        else {
          delete body.examples[key]
          this.#gone.add(name)
        }
      }
    }
    const examples = Object.entries(kept.components.examples ?? {}).filter(([name]) => !this.#gone.has(name))
    kept.components.examples = Object.fromEntries(examples)
    this.#document = kept
    this.#fitting = fitting
    return kept
  }

  #judge(document: Document): (schema: string, value: unknown) => boolean {
    const stateOf = statesOfSchemas(document)
    let validators: ReturnType<typeof validatorsOf> | undefined
    const judge = (schema: string, value: unknown): boolean => (validators ??= validatorsOf(document))(schema)?.(value) === true
    return (schema, value) => {
      const pair = `${stateOf(schema)} ${JSON.stringify(value)}`
      const fits = this.#verdicts.get(pair) ?? judge(schema, value)
      this.#verdicts.set(pair, fits)
      return fits
    }
  }
}

/** The named examples of a body and its component schema; `pair` names both. */
function pairsOf({ media, examples }: ReturnType<typeof bodiesWithExamples>[number]) {
  const schema = media.schema?.$ref === undefined ? undefined : schemaNameOf(media.schema.$ref)
  return Object.entries(examples).flatMap(([key, reference]) => {
    const name = isReference(reference) ? reference.$ref.split('/').at(-1) : undefined
    return schema === undefined || name === undefined ? [] : [{ key, name, schema, pair: `${schema} ${name}` }]
  })
}

function validatorsOf({ components: { schemas } }: Document): (schema: string) => ValidateFunction | undefined {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, messages: false, code: { optimize: false } })
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate: accepts })
  ajv.addFormat('uri', { type: 'string', validate: (text) => URL.canParse(text) })
  ajv.addSchema({ $id: 'contract:', components: { schemas } })
  return (schema) => ajv.getSchema(`contract:#/components/schemas/${schema}`)
}
