import type { ErrorObject } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations, type Operation } from '../../generated/operations.ts'
import * as compiled from '../../generated/validators.js'
import { loadContractDocument, type JsonSchema } from '../../server/contract/contract_document.ts'
import { replaceEmptyArrays } from '../../server/contract/empty_arrays.ts'
import { RequestValidators } from '../../server/contract/request_validators.ts'
import { shareSchemas } from '../../server/contract/share_schemas.ts'
import { ContractValidator } from '../../server/contract/contract_validator.ts'
import { ServiceError } from '../../server/kernel/errors.ts'
import { publicContract, validatorOf } from '../harness/contract.ts'
import type { Json } from '../harness/json.ts'
import { Samples } from '../../scripts/samples.ts'
import { mutate } from '../harness/mutants.ts'

/**
 * For every operation with a JSON body: samples generated from the form that the server validates with, and mutants with a single change.
 * The public bundle determines which are valid. The server must agree on each, and name the changed location of an invalid one. Validators
 * compiled ahead of time must report the same as validators compiled now.
 */

const RUNS = Number(process.env['SAMPLE_RUNS'] ?? 12)
const MUTANTS_PER_SAMPLE = 4

const document = loadContractDocument()
const samples = new Samples(document.components.schemas)
const validator = new ContractValidator()

/** The same validators, compiled in this process. */
const compiledNow = loadContractDocument()
shareSchemas(compiledNow)
const validatorNow = RequestValidators.compiling(compiledNow, {})
const shared = loadContractDocument()
shareSchemas(shared)
const validatorAhead = RequestValidators.precompiled(shared, compiled)

const withBody = Object.values(operations).filter((operation: Operation) => operation.requestTypes.includes('application/json'))
const path = { block_id: '3af9f30c-5a66-4477-bda9-d8c096d38ff5' }

/** @returns undefined if the server accepts the body, otherwise its error */
function refusalOf(operation: Operation, body: Json): ServiceError | undefined {
  try {
    validator.validate(operation, { path: partsOf(operation), query: {}, body: structuredClone(body) })
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

function errorsOf(by: RequestValidators, operation: Operation, body: Json): readonly ErrorObject[] {
  const parts = { path: partsOf(operation), query: {}, body: structuredClone(body) }
  return by.errorsOf(operation, parts).errors
}

function partsOf(operation: Operation): Record<string, string> {
  return Object.fromEntries(operation.pathParameters.map((name) => [name, path.block_id]))
}

function serverSchema({ path: route, method }: Operation): JsonSchema {
  const schema = document.paths[route]?.[method]?.requestBody?.content['application/json']?.schema
  if (!schema) throw new Error(`no request schema at ${method} ${route}`)
  return schema
}

const publicSchemas = new Map<string, object>()

function publicAccepts({ id, path: route, method }: Operation, body: Json): boolean {
  const schema =
    publicSchemas.get(id) ?? publicContract().paths[route]?.[method]?.requestBody?.content?.['application/json']?.schema
  if (!schema) throw new Error(`no public request schema at ${method} ${route}`)
  publicSchemas.set(id, schema)
  const [validate, sent] = [validatorOf(schema), structuredClone(body)]
  // `[]` counts as `{}` if only an object is valid; no schema says that.
  while (!validate(sent)) if (!replaceEmptyArrays(validate.errors ?? [], sent)) return false
  return true
}

function namedPaths({ message, additionalData }: ServiceError): string[] {
  const inMessage = [...message.matchAll(/(?:^|\s)(body\S*) should/g)].map((match) => match[1] ?? '')
  const listed = additionalData?.['failed_paths']
  return [...inMessage, ...(Array.isArray(listed) ? listed : [])]
}

/** Whether the error names the path itself, something below it or, if a change makes the enclosing object invalid, a key of that object. */
function pointsAt(error: ServiceError, location: string): boolean {
  const parent = location.replace(/(?:\.[^.[\]]+|\[\d+\])$/, '')
  const named = namedPaths(error)
  return (
    named.some((name) => name === location || name === parent || isBelow(name, location) || isBelow(name, parent)) ||
    named.some((name) => isBelow(location, name))
  )
}

function isBelow(path: string, ancestor: string): boolean {
  return path.startsWith(`${ancestor}.`) || path.startsWith(`${ancestor}[`)
}

const tally = { good: 0, bad: 0 }

describe('validation of sample bodies:', () => {
  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    'the schema of %s accepts exactly the valid ones',
    (_id, operation) => {
      const schema = serverSchema(operation)
      fc.assert(
        fc.property(fc.gen(), (draw) => {
          const sample = samples.draw(schema, draw)
          check(operation, sample)
          for (let count = 0; count < MUTANTS_PER_SAMPLE; count += 1) {
            const { name, body, location } = mutate(sample, draw)
            const refusal = check(operation, body, name)
            if (refusal && publicAccepts(operation, sample)) {
              expect(
                pointsAt(refusal, location),
                `${name} at ${location}: ${refusal.message} ${JSON.stringify(refusal.additionalData)}`,
              ).toBe(true)
            }
          }
        }),
        { numRuns: RUNS, seed: 20260516, endOnFailure: true },
      )
    },
  )

  it('a body may be omitted exactly when an empty one is valid', () => {
    const optional = withBody.filter((operation: Operation) => !operation.bodyRequired).map(({ id }) => id)
    expect(optional).toStrictEqual(withBody.filter((operation) => publicAccepts(operation, {})).map(({ id }) => id))
  })

  it('most samples are valid and most mutants invalid, so that the tests are meaningful', () => {
    expect(tally.good).toBeGreaterThan(withBody.length * 5)
    expect(tally.bad).toBeGreaterThan(withBody.length * 5)
  })
})

/**
 * Checks that the server agrees with the public bundle.
 * @returns its refusal
 */
function check(operation: Operation, body: Json, change = 'a sample'): ServiceError | undefined {
  const refusal = refusalOf(operation, body)
  expect(errorsOf(validatorAhead, operation, body)).toStrictEqual(errorsOf(validatorNow, operation, body))
  const accepted = publicAccepts(operation, body)
  tally[accepted ? 'good' : 'bad'] += 1
  expect(refusal === undefined, `${change}: ${JSON.stringify(body).slice(0, 3000)}\n${refusal?.message ?? 'taken'}`).toBe(
    accepted,
  )
  if (refusal) expect(namedPaths(refusal).length, refusal.message).toBeGreaterThan(0)
  return refusal
}
