/** Examples: each fits its schema, and together they show every union variant and every error code. */

import { beforeAll, describe, expect, test } from 'vitest'
import { errorCodeTables } from '../../scripts/generate/error_codes.ts'
import type { Document } from '../../scripts/generate/document.ts'
import { documentValidator, pointer } from './support/ajv.ts'
import { readPublicDocument, sharedExamples, usedExamples, type UsedExample } from './support/public_document.ts'
import { shownVariants, unionVariants } from './support/variants.ts'
import { isObject } from '../../server/kernel/is_object.ts'

let document: Document
let examples: UsedExample[]

beforeAll(async () => {
  document = await readPublicDocument()
  examples = [...usedExamples(document), ...sharedExamples(document)]
})

test('every example fits its schema', () => {
  const validatorAt = documentValidator(document)
  const faults = examples
    .filter(({ type }) => !type.startsWith('multipart/')) // represents bytes
    .flatMap(({ label, name, value, schema }) => {
      const validate = validatorAt(pointer(...schema))
      return validate(value)
        ? []
        : [`${name} (${label}): ${validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}`]
    })
  expect(faults).toEqual([])
})

test('no example has "string" as a placeholder', () => {
  const saysString = (value: unknown): boolean => /(?<!"type"):"string"/.test(JSON.stringify(value ?? null))
  expect(examples.filter(({ value }) => saysString(value)).map(({ name }) => name)).toEqual([])
})

// If you are here because a variant is listed: add an example of it to the examples of its resource, with ids from spec/example_workspace.md.
test('every variant of every union has an example', () => {
  const shown = shownVariants(document, examples)
  const missing = unionVariants(document)
    .filter(({ variant }) => !shown.has(variant))
    .map(({ union, variant }) => `${union}: ${variant}`)
  expect(missing).toEqual([])
})

describe('error codes', () => {
  // If you are here because a code is listed: add an example of its error to spec/shared/examples.
  test('each has an example', () => {
    const { api, oauth } = errorCodeTables(document)
    const values = examples.map(({ value }) => value).filter(isObject)
    expect(
      api
        .filter(({ code }) => !values.some((value) => value['code'] === code && value['object'] === 'error'))
        .map(({ code }) => code),
    ).toEqual([])
    expect(oauth.filter(({ code }) => !values.some((value) => value['error'] === code)).map(({ code }) => code)).toEqual([])
  })
})
