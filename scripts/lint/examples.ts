/** Finds examples of a contract that violate their schemas. */

import { MissingRefError } from 'ajv/dist/2020.js'
import {
  isReference,
  resolve,
  type Document,
  type Example,
  type MediaType,
  type ReferenceObject,
  type Schema,
} from '../generate/document.ts'
import { ExampleValidators } from './example_validators.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/**
 * A copy of the contract with only the invalid examples, for Redocly to explain; undefined if all are valid. Redocly would take four times as
 * long to find them.
 */
export function withOnlyInvalidExamples(document: Document): Document | undefined {
  const validators = new ExampleValidators(document)
  const copy = structuredClone(document)
  let areValid = true
  for (const { media, schema } of mediaIn(copy)) {
    const invalid = Object.entries(media.examples ?? {}).filter(([, example]) => isInvalid(document, validators, example, schema))
    media.examples = Object.fromEntries(invalid)
    areValid &&= invalid.length === 0
  }
  return areValid ? undefined : copy
}

function isInvalid(
  document: Document,
  validators: ExampleValidators,
  example: Example | ReferenceObject,
  schema: Schema,
): boolean {
  const { value } = resolve<Example>(document, example)
  try {
    return value !== undefined && !validators.accepts(schema, value)
  } catch (error) {
    if (error instanceof MissingRefError) throw error
    return true // a schema that cannot be compiled, which Redocly explains, too
  }
}

/** The media types with examples, each with its schema. */
function mediaIn({ paths, webhooks = {}, components: { responses = {}, requestBodies = {} } }: Document) {
  const found: { media: MediaType; schema: Schema }[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isObject(value) || isReference(value)) return
    const { schema, examples } = value
    if (isObject(schema) && isObject(examples)) found.push({ media: value, schema })
    else Object.values(value).forEach(visit)
  }
  for (const group of [paths, webhooks, responses, requestBodies]) visit(group)
  return found
}
