import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease, operations, type Operation } from '../../generated/operations.ts'
import { loadContractDocument } from '../../server/contract/contract_document.ts'
import { ContractValidator } from '../../server/contract/contract_validator.ts'
import { ServiceError } from '../../server/kernel/errors.ts'
import { publicContract, resolve } from '../harness/contract.ts'
import type { Json } from '../harness/json.ts'
import { Samples } from '../../scripts/samples.ts'
import { mutate } from '../harness/mutants.ts'
import { startStockServer, type StockServer, type StockVerdict } from './support/stock_middleware.ts'

/**
 * Compares the server's verdicts with those of express-openapi-validator's own middleware, on the same form of the contract. Every
 * operation with a JSON body gets every request example, and the first samples and mutants of the seed in `contract_samples.test.ts`.
 */

const VERSION = newestRelease
const ID = '3af9f30c-5a66-4477-bda9-d8c096d38ff5'
const SAMPLES = 4
const MUTANTS_PER_SAMPLE = 2

/**
 * Operations for which the middleware is always wrong: its preprocessor also adds the discriminator of a union to the schemas of these
 * bodies, which are not unions. It looks for the tag in them, and refuses every body or throws at `null`.
 *
 * If you are here because an operation of yours differs: add it only if that is the reason; otherwise the contract is ambiguous.
 */
const misplacedDiscriminator: ReadonlyMap<string, string> = new Map([
  ['createPage', 'state'],
  ['createView', 'type'],
  ['updateAgentStatus', 'action'],
  ['updateAgentCreditLimit', 'action'],
])

const document = loadContractDocument()
const samples = new Samples(document.components.schemas)
const validator = new ContractValidator()
let stock: StockServer
beforeAll(async () => void (stock = await startStockServer(VERSION)))
afterAll(() => stock.stop())

const withBody = Object.values(operations).filter((operation: Operation) => operation.requestTypes.includes('application/json'))

interface Case {
  readonly name: string
  readonly body: Json
}

function examplesOf({ path, method }: Operation): Case[] {
  const { paths, components } = publicContract()
  const examples = paths[path]?.[method]?.requestBody?.content?.['application/json']?.examples ?? {}
  return Object.entries(examples).map(([name, example]) => ({ name, body: resolve(example, components.examples).value as Json }))
}

function samplesOf({ path, method }: Operation): Case[] {
  const schema = document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema ?? {}
  const cases = fc.gen().map((draw): Case[] => {
    const body = samples.draw(schema, draw)
    const mutants = Array.from({ length: MUTANTS_PER_SAMPLE }, () => mutate(body, draw))
    return [{ name: 'a sample', body }, ...mutants.map(({ name, location, body }) => ({ name: `${name} at ${location}`, body }))]
  })
  return fc.sample(cases, { numRuns: SAMPLES, seed: 20260516 }).flat()
}

/** @returns the paths in the server's error; undefined if it accepts the body */
function refusedPaths(operation: Operation, body: Json): string[] | undefined {
  const path = Object.fromEntries(operation.pathParameters.map((name) => [name, ID]))
  try {
    validator.validate(operation, { path, query: {}, body: structuredClone(body) })
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.complaints.map((complaint) => complaint.path)
    throw error
  }
}

/** Whether both find a fault at one path; or one at a key, and the other at the object that the key makes invalid. */
function agreeOnPath(ours: readonly string[], theirs: readonly string[]): boolean {
  const locations = ours.map((path) => path.replace(/\.length$/, ''))
  const objects = locations.map((path) => path.replace(/(?:\.[^.[\]]+|\[\d+\])$/, ''))
  return theirs.some((location) => locations.includes(location) || objects.includes(location))
}

const tally = { taken: 0, refused: 0 }

describe('the stock middleware of express-openapi-validator and the server find faults at the same locations:', () => {
  it.each(withBody.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, ID)
    const tag = misplacedDiscriminator.get(id)
    for (const { name, body } of [...examplesOf(operation), ...samplesOf(operation)]) {
      const theirs: StockVerdict = await stock.send(operation.method.toUpperCase(), path, body)
      if (tag !== undefined) {
        const isNull = body === null
        expect(theirs.status, name).toBe(isNull ? 500 : 400)
        expect(theirs.message, name).toContain(
          isNull ? `(reading '${tag}')` : `'${tag}' must be equal to one of the allowed values`,
        )
        continue
      }
      const ours = refusedPaths(operation, body)
      const both = `${name}: ${JSON.stringify(body).slice(0, 1000)}\n${JSON.stringify(theirs).slice(0, 1000)}`
      tally[ours ? 'refused' : 'taken'] += 1
      expect({ status: theirs.status, message: theirs.message }, both).toMatchObject({ status: ours ? 400 : 200 })
      if (ours) expect(agreeOnPath(ours, theirs.locations), `${ours.join(', ')}: ${both}`).toBe(true)
    }
  })

  it('many bodies are accepted and many refused, so that the tests are meaningful', () => {
    expect(tally.taken).toBeGreaterThan(200)
    expect(tally.refused).toBeGreaterThan(200)
  })
})
