import type { FindingGroup } from '../finding_log.ts'

export interface RunResult {
  /** `proxy` or `conform`. */
  readonly command: string
  readonly target: string
  /** Exchanges that were checked against the contract. */
  readonly exchanges: number
  /** Exchanges with a body that was not checked. */
  readonly unjudgedBodies: number
  /** By operation: the number of exchanges. */
  readonly operations: Readonly<Record<string, number>>
  /** Why an operation was not covered, if the run was meant to cover it. */
  readonly notCovered: Readonly<Record<string, string>>
  readonly findings: readonly FindingGroup[]
}

/** The problem, in one line. */
export function findingLine({ operation, rule, place, keyword, text }: FindingGroup): string {
  return `${operation}  ${rule}  ${place}  ${keyword}: ${text}`
}

/** The exchange of a finding, in one line. */
export function sampleLine({ sample, count }: FindingGroup): string {
  const { method, target, version, status, requestId } = sample
  const parts = [`${method} ${target} → ${status}`, version && `version ${version}`, requestId && `request ${requestId}`]
  return [...parts.filter((part) => part !== undefined), `${count} ×`].join(', ')
}
