import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import type { Operation } from '../../generated/operations.ts'
import type { ReleaseDate } from '../../generated/types.ts'
import { DatedContract } from '../../conformance/src/dated_contract.ts'
import type { JsonSchema } from '../../server/contract/contract_document.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { Samples } from '../samples.ts'

/** A generated response, and the seed that reproduces it. */
export interface GeneratedResponse {
  readonly body: Readonly<Record<string, unknown>>
  readonly seed: number
}

/** The samples ignore rules that concern several members, so some of them are invalid: this many are drawn, in rounds. */
const ROUNDS = 20
const DRAFTS = 20
const SEED_MAX = 2 ** 31 - 1

/**
 * Generates a possible response of an operation: values that the response's schema allows at a release date, each validated against it.
 * @param requestId of the response
 * @returns undefined if the operation has no JSON response, or no valid response was found
 */
export function generatedResponse(
  operation: Operation,
  status: number,
  version: ReleaseDate,
  requestId: string,
  seed = randomInt(SEED_MAX),
): GeneratedResponse | undefined {
  const contract = DatedContract.ofService(version)
  const schema = contract.response(operation, status)?.content?.['application/json']?.schema
  if (!schema) return undefined
  const samples = samplesOf(contract)
  const drafting = fc.gen().map((draw) => samples.draw(schema as JsonSchema, draw))
  for (let round = 0; round < ROUNDS; round += 1) {
    // One seed gives the same drafts in the same order.
    const drafts = fc.sample(drafting, { seed: (seed + round) % SEED_MAX, numRuns: DRAFTS })
    const bodies = drafts.flatMap((draft) => (isObject(draft) ? [{ ...asOnlyPage(draft), request_id: requestId }] : []))
    const valid = bodies.filter((body) => contract.problemOf(schema, body) === undefined)
    // A partial record is also valid, but a full one is more useful.
    const [richest] = valid.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length)
    if (richest) return { body: richest, seed }
  }
  return undefined
}

/** Removes the cursor, which would lead nowhere in a generated list. */
function asOnlyPage(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return 'has_more' in body && 'next_cursor' in body ? { ...body, has_more: false, next_cursor: null } : body
}

const known = new WeakMap<DatedContract, Samples>()

function samplesOf(contract: DatedContract): Samples {
  const samples =
    known.get(contract) ?? new Samples((contract.document.components['schemas'] ?? {}) as Record<string, JsonSchema>, 'printable')
  known.set(contract, samples)
  return samples
}
