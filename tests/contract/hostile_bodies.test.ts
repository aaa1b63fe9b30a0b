import { describe, expect, it } from 'vitest'
import { loadContractDocument } from '../../server/contract/contract_document.ts'
import { ContractValidator } from '../../server/contract/contract_validator.ts'
import { ServiceError } from '../../server/kernel/errors.ts'
import { allOperations, GHOST, takesJson, type KnownOperation } from '../harness/every_operation.ts'
import { isLongRun } from '../harness/long_runs.ts'
import { HostileSchemas, type HostileBodies } from './support/hostile_bodies.ts'
import { countSteps } from './support/steps.ts'

/**
 * The cost of an invalid body must be proportional to its size. Fills every path of every request schema with growing numbers of faults,
 * and counts the steps of validation: a body twice as large takes at most twice as many steps.
 */

const SIZE = isLongRun ? 120 : 60
/** Twice as many steps, and a margin of one fault. */
const GROWTH_MAX = 2.2
const STEPS_ANYHOW = 1_500
const BODY_BYTES_MAX = 512_000
/** Maximum list elements pushed and copied for the faults in one response to the largest body. */
const LISTED_MAX = 20_000

const { paths, components } = loadContractDocument()
const schemas = new HostileSchemas(components.schemas)
const validator = new ContractValidator()
const operations = allOperations.filter(takesJson)

function refuse(operation: KnownOperation, body: unknown, ignoresKey?: () => boolean): ServiceError | undefined {
  const path = Object.fromEntries(operation.pathParameters.map((name) => [name, GHOST]))
  try {
    validator.validate(operation, { path, query: {}, body }, [], ignoresKey)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

function stepsOf(operation: KnownOperation, body: unknown, ignoresKey?: () => boolean): number {
  return countSteps(body, (watched) => refuse(operation, watched, ignoresKey))
}

/** Families whose steps grow faster than their bodies. */
function growing(operation: KnownOperation, families: readonly HostileBodies[], ignoresKey?: () => boolean): string[] {
  return families.flatMap(({ name, make }) => {
    const [once, twice] = [SIZE, 2 * SIZE].map((size) => stepsOf(operation, make(size), ignoresKey))
    return once === undefined || twice === undefined || twice > GROWTH_MAX * once + STEPS_ANYHOW
      ? [`${name}: ${once} steps, then ${twice}`]
      : []
  })
}

const bodiesOf = new Map(
  operations.map((operation) => {
    const schema = paths[operation.path]?.[operation.method]?.requestBody?.content['application/json']?.schema ?? {}
    return [operation, schemas.bodies(schema, operation.id)]
  }),
)

describe('validating a body takes time linear in its size, wherever its faults are:', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
    const families = bodiesOf.get(operation) ?? []
    expect(growing(operation, families)).toEqual([])
    expect(growing(operation, families, () => true)).toEqual([])
  })
})

describe('validating the largest body collects no more faults than a response reports:', () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
    const [family] = (bodiesOf.get(operation) ?? []).toSorted((a, b) => bytesOf(b.make(SIZE)) - bytesOf(a.make(SIZE)))
    if (family === undefined) return
    const body = family.make(Math.floor((SIZE * BODY_BYTES_MAX) / bytesOf(family.make(SIZE))))
    expect(
      countSteps(undefined, () => refuse(operation, body)),
      family.name,
    ).toBeLessThan(LISTED_MAX)
  })
})

it('most kinds of hostile bodies are refused, so that the tests are meaningful', () => {
  const families = [...bodiesOf].flatMap(([operation, bodies]) => bodies.map(({ make }) => refuse(operation, make(SIZE))))
  expect(families.length).toBeGreaterThan(operations.length * 10)
  expect(families.filter((refusal) => refusal !== undefined).length).toBeGreaterThan(families.length * 0.9)
})

function bytesOf(body: unknown): number {
  return Buffer.byteLength(JSON.stringify(body) ?? '')
}
