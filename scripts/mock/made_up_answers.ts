import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import type { Operation } from '../../generated/operations.ts'
import type { ReleaseDate } from '../../generated/types.ts'
import { DatedContract } from '../../conformance/src/dated_contract.ts'
import type { JsonSchema } from '../../server/contract/contract_document.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { Samples } from '../samples.ts'

/** An answer that was made up, and the seed that makes it again. */
export interface MadeUpAnswer {
  readonly body: Readonly<Record<string, unknown>>
  readonly seed: number
}

/** The rules across members are not known to the samples, so some of them break a rule. */
const ROUNDS = 20
const DRAFTS = 20
const SEED_MAX = 2 ** 31 - 1

/**
 * Makes up what an operation could answer: values that the schema of the answer allows at a release date, each checked by that schema.
 * @param requestId of the answer
 * @returns undefined if the operation answers without JSON, or if no valid answer was found
 */
export function madeUpAnswer(
  operation: Operation,
  status: number,
  version: ReleaseDate,
  requestId: string,
  seed = randomInt(SEED_MAX),
): MadeUpAnswer | undefined {
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
    // A partial record is valid too, but a whole one is of more use.
    const [richest] = valid.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length)
    if (richest) return { body: richest, seed }
  }
  return undefined
}

/** There is no next page, as a cursor of a made-up list would lead nowhere. */
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
