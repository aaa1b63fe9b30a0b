import type { OperationId } from '../contract/operation.ts'

/**
 * Operations of the contract that this release does not serve yet. They answer 503 `service_unavailable`. The list may only
 * shrink: the completeness test prints it and compares it with the one before.
 */
export const pending = ['createMeetingNotes', 'queryMeetingNotes'] as const satisfies readonly OperationId[]

export type PendingOperation = (typeof pending)[number]

export function isPending(id: OperationId): id is PendingOperation {
  return (pending as readonly OperationId[]).includes(id)
}
