/** Finds examples of a contract that violate their schemas. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { formats } from '../../server/contract/formats.ts'
import { changedComponents, referencesIn } from '../generate/changed.ts'
import { isReference, resolve, type Document, type Example, type MediaType } from '../generate/document.ts'
import { pointerOf } from '../generate/source_map.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/**
 * A copy of the contract with only the invalid examples, for Redocly to explain; undefined if all are valid. Redocly would
 * take four times as long to find them.
 * @param before a contract whose examples are valid, except for those of `again`; examples that are the same in it are not checked again
 * @param again components, such as `examples/CreatePage`
 */
export function withOnlyInvalidExamples(
  document: Document,
  before?: Document,
  again?: ReadonlySet<string>,
): Document | undefined {
  const judged = newExamples(document, before, again)
  if (judged.length === 0) return undefined
  const validatorAt = validatorsOf(document)
  const misfits = judged.filter(({ pointer, example }) => {
    const { value } = resolve<Example>(document, example)
    return value !== undefined && validatorAt(`${pointer}/schema`)?.(value) === false
  })
  if (misfits.length === 0) return undefined
  const kept = new Set(misfits.map(({ pointer, key }) => `${pointer} ${key}`))
  const copy = structuredClone(document)
  for (const { pointer, media } of mediaIn(copy))
    media.examples = Object.fromEntries(Object.entries(media.examples ?? {}).filter(([key]) => kept.has(`${pointer} ${key}`)))
  return copy
}

interface UsedExample {
  /** The JSON pointer of the media type. */
  readonly pointer: string
  readonly key: string
  readonly example: Example
}

/** The examples that have changed since an earlier contract, or whose schema has. */
function newExamples(document: Document, before: Document | undefined, again: ReadonlySet<string> = new Set()): UsedExample[] {
  const changed = before === undefined ? undefined : changedComponents(before, document)
  const known = new Set(before === undefined ? [] : mediaIn(before).map(({ media }) => textOf(media)))
  return mediaIn(document).flatMap(({ pointer, media }) => {
    const examples = Object.entries(media.examples ?? {}).map(([key, example]) => ({ pointer, key, example }))
    if (changed === undefined || !known.has(textOf(media)) || hasAny(media.schema, changed)) return examples
    return examples.filter(({ example }) => hasAny(example, changed) || hasAny(example, again))
  })
}

function hasAny(value: unknown, components: ReadonlySet<string>): boolean {
  return [...referencesIn(value)].some((name) => components.has(name))
}

function mediaIn({
  paths,
  webhooks,
  components: { responses, requestBodies },
}: Document): { pointer: string; media: MediaType }[] {
  const found: { pointer: string; media: MediaType }[] = []
  const visit = (value: unknown, keys: readonly string[]): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...keys, String(index)]))
    if (!isObject(value) || isReference(value)) return
    if (isObject(value['schema']) && isObject(value['examples'])) found.push({ pointer: pointerOf(keys), media: value })
    else for (const [key, item] of Object.entries(value)) visit(item, [...keys, key])
  }
  visit(paths, ['paths'])
  visit(webhooks, ['webhooks'])
  visit(responses, ['components', 'responses'])
  visit(requestBodies, ['components', 'requestBodies'])
  return found
}

function textOf({ schema, examples }: MediaType): string {
  return JSON.stringify([schema, examples])
}

function validatorsOf(document: Document) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } })
  addFormats.default(ajv)
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate: accepts })
  const { paths, webhooks, components } = document
  ajv.addSchema({ $id: 'contract:', paths, webhooks, components })
  return (pointer: string) => ajv.getSchema(`contract:${encodeURI(pointer)}`)
}
