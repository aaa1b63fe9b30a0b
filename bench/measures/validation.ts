import { operations } from '../../generated/operations.ts'
import { sharedValidator } from '../../server/contract/contract_validator.ts'
import { manyBlocks } from '../databases/content.ts'
import { bar } from '../progress.ts'
import { APPENDED } from './operations.ts'

/** Processor time in microseconds of one body, by round, in this process and without a request. */
export interface ValidationFigures {
  /** Checking the body of `appendBlockChildren` against the contract. */
  readonly validate: readonly number[]
  /** `JSON.parse` of its text, measured alternately: shows the speed of the machine. */
  readonly parse: readonly number[]
}

const WARMING_BODIES = 3_000
const BODIES = 1_000

/** Validates the request that appends 100 blocks. */
export function measureValidation(rounds: number): ValidationFigures {
  const text = JSON.stringify(manyBlocks(APPENDED))
  const validator = sharedValidator()
  const path = { block_id: '479dd02e-5974-4f6b-8eeb-4467a5c46004' }
  const validate = (): unknown =>
    validator.validate(operations.appendBlockChildren, { path, query: {}, body: JSON.parse(text) as unknown })
  const parse = (): unknown => JSON.parse(text)
  const figures: { validate: number[]; parse: number[] } = { validate: [], parse: [] }
  for (const work of [validate, parse]) microsecondsOf(work, WARMING_BODIES)
  for (let round = 0; round < rounds; round += 1) {
    const parsed = microsecondsOf(parse, BODIES)
    figures.parse.push(parsed)
    // A body is parsed for each validation, as for each request.
    figures.validate.push(microsecondsOf(validate, BODIES) - parsed)
    bar('validation', (round + 1) / rounds)
  }
  return figures
}

/** Average processor time of one call. */
function microsecondsOf(work: () => unknown, times: number): number {
  const before = process.threadCpuUsage()
  for (let time = 0; time < times; time += 1) work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / times
}
