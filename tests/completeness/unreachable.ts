import type { Operation } from '../../generated/operations.ts'

/** Declared statuses of an operation that tests cause only on other operations, with the same cause. */
interface Unreachable {
  readonly statuses: readonly number[]
  readonly why: string
  applies(operation: Operation): boolean
}

// If you are here because a status seems impossible for an operation: check first whether scripts/generate/operation_errors.ts derives too
// much. A rule here names the cause, so that it applies to every similar operation.
const rules: readonly Unreachable[] = [
  {
    statuses: [403],
    why: 'needs no capability and takes every kind of token: only a personal token that may not call the API is refused',
    applies: ({ credentials, capability, tokenKinds }) =>
      credentials === 'bearer' && capability === 'none' && tokenKinds.length === 3,
  },
  {
    statuses: [409, 504],
    why: 'writes without a key: only two writers at one instant, or a commit that is not confirmed, lead to it',
    applies: ({ headerParameters }) => !headerParameters.includes('Idempotency-Key'),
  },
]

const rulesOfShortRuns: readonly Unreachable[] = [
  {
    statuses: [504],
    why: 'a commit that is not confirmed has one cause at every operation: each is tried by every_operation_database_unavailable.all alone',
    applies: () => true,
  },
]

/**
 * Whether no test has to cause this status on this operation.
 * @param isLong whether the run includes the files of long runs
 */
export function isUnreachable(operation: Operation, status: number, isLong: boolean): boolean {
  const known = isLong ? rules : [...rules, ...rulesOfShortRuns]
  return known.some((rule) => rule.statuses.includes(status) && rule.applies(operation))
}
