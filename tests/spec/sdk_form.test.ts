/** The forms for client generators: wider than the contract, never narrower, and without constructs that generators cannot handle. */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { walkObjects, walkSchema, webhooksOf, type Document, type Schema } from '../../scripts/generate/document.ts'
import { sdkDocuments } from '../../scripts/generate/sdk/document.ts'
import { documentValidator, pointer } from './support/ajv.ts'
import { someRows } from '../harness/long_runs.ts'
import { projectRoot } from './support/files.ts'
import { usedExamples, type UsedExample } from './support/public_document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

let contract: Document
let for30: Document
let for31: Document

beforeAll(async () => {
  contract = JSON.parse(await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8'))
  ;({ for30, for31 } = sdkDocuments(contract))
})

// If you are here because an example is listed: a rule in `scripts/generate/sdk/` changes what its schema accepts.
describe('every example of the contract fits', () => {
  test('the form in OpenAPI 3.0', () => expect(mismatches(asJsonSchema(for30))).toEqual([]))
  // Only the spelling differs, so a sample is enough.
  test('the form in OpenAPI 3.1', () => expect(mismatches(for31, /^retrieve/)).toEqual([]))

  /** The examples that a form refuses. Forms declare streams as text, and the parts of a multipart body as bytes, so these are left out. */
  function mismatches(form: Document, which = /^/): string[] {
    const validatorAt = documentValidator(form)
    const comparable = usedExamples(contract).filter(({ type }) => type !== 'text/event-stream' && !type.startsWith('multipart/'))
    const examples = new Map(comparable.map((example) => [`${example.name} ${example.schema.join('/')}`, example]))
    expect(examples.size).toBeGreaterThan(500)
    const chosen = [...examples.values()].filter(({ label }) => which.test(label))
    return chosen.flatMap(({ label, value, schema }: UsedExample) => {
      const validate = validatorAt(pointer(...schema))
      return validate(value) ? [] : [`${label}: ${JSON.stringify(validate.errors)}`]
    })
  }

  /** `nullable` as generators interpret it, in JSON Schema. */
  function asJsonSchema(form: Document): Document {
    const { 'x-webhooks': webhooks, ...rest } = form
    const text = JSON.stringify({ ...rest, webhooks })
    return JSON.parse(text, (_key, value: unknown) => {
      if (!isObject(value)) return value
      const { nullable, exclusiveMinimum, minimum, ...schema } = value
      const limit = exclusiveMinimum === true ? { exclusiveMinimum: minimum } : minimum === undefined ? {} : { minimum }
      return nullable === true ? { anyOf: [{ type: 'null' }, { ...schema, ...limit }] } : { ...schema, ...limit }
    })
  }
})

describe('the form for client generators avoids', () => {
  test('unions, `allOf` of several schemas, and conditions', () => {
    expect(schemasOf(for30, ({ oneOf, anyOf, not, allOf = [] }) => oneOf ?? anyOf ?? not ?? allOf.length > 1)).toEqual([])
    expect(schemasOf(for31, ({ anyOf, not, allOf }) => anyOf ?? not ?? allOf)).toEqual([])
    expect(schemasOf(for31, ({ oneOf }) => oneOf !== undefined && JSON.stringify(oneOf[1]) !== '{"type":"null"}')).toEqual([])
  })

  test('schemas that are true, false or only null, and constants that are not text', () => {
    const boolean = (schema: Schema): boolean =>
      [schema.items, ...Object.values(schema.properties ?? {})].some((inner) => typeof inner === 'boolean')
    expect(schemasOf(for30, (schema) => boolean(schema) || schema.additionalProperties === true)).toEqual([])
    expect(schemasOf(for30, ({ type }) => Array.isArray(type) || type === 'null')).toEqual([])
    expect(schemasOf(for30, (schema) => 'const' in schema || schema.enum?.some((value) => typeof value !== 'string'))).toEqual([])
  })

  test('a pattern beside a format, and formats specific to this contract', () => {
    expect(schemasOf(for30, ({ format, pattern }) => format !== undefined && pattern !== undefined)).toEqual([])
    const formats = new Set<unknown>()
    walkObjects(for30.components.schemas, ({ format }) => typeof format === 'string' && formats.add(format))
    expect([...formats].toSorted()).toEqual(['binary', 'date', 'date-time', 'double', 'int32', 'int64', 'uri', 'uuid'])
  })

  test('objects and choices without a name, or with a property of their own name', () => {
    const isInline = (schema: Schema): boolean => schema.properties !== undefined || (schema.enum ?? []).length > 1
    const inline = schemasOf(for30, (schema, location) => location.includes('/') && isInline(schema))
    expect(inline).toEqual([])
    const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()
    const own = (schema: Schema, name: string): boolean =>
      Object.keys(schema.properties ?? {}).some((key) => plain(key) === plain(name))
    expect(schemasOf(for30, own)).toEqual([])
  })

  test('webhooks, and texts that end a comment', () => {
    expect(for30.webhooks).toBeUndefined()
    expect(Object.keys(Object(for30['x-webhooks']))).toEqual(webhooksOf(contract).map(({ path }) => path))
    for (const form of [for30, for31])
      walkObjects(form, ({ description }) => expect(String(description ?? '').includes('*/')).toBe(false))
  })

  /** Paths of schemas for which `question` is true. */
  function schemasOf(form: Document, question: (schema: Schema, location: string) => unknown): string[] {
    return Object.entries(form.components.schemas ?? {}).flatMap(([name, schema]) => {
      const found: string[] = []
      walkSchema(schema, (inner) => {
        const location = inner === schema ? name : `${name}/…`
        const response = question(inner, location)
        if (response !== undefined && response !== false) found.push(`${location} ${JSON.stringify(inner).slice(0, 200)}`)
      })
      return found
    })
  }
})

// If you are here because an operation differs: the form for client generators has lost a part of it (`scripts/generate/sdk/`).
test('the form for client generators has every operation, with its parameters, bodies and responses', () => {
  const shapeOf = ({ paths }: Document): unknown =>
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.entries(item).map(([method, operation]) => [method, Object.keys(Object(operation)).toSorted()]),
    ])
  expect(shapeOf(for30)).toEqual(shapeOf(contract))
  expect(shapeOf(for31)).toEqual(shapeOf(contract))
})

test.each(someRows(['openapi.sdk.yaml', 'openapi.sdk31.yaml']))('%s passes the rules that Redocly recommends', async (name) => {
  const words = [
    'lint',
    `generated/${name}`,
    '--extends=recommended',
    '--format=json',
    '--config=scripts/generate/redocly.bundle.yaml',
  ]
  const { stdout } = await promisify(execFile)(process.execPath, ['node_modules/@redocly/cli/bin/cli.js', ...words], {
    cwd: projectRoot,
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
  })
  const { problems } = JSON.parse(stdout)
  // The consent page responds only with a redirect, which the rule reports.
  expect(problems.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['operation-2xx-response'])
})
