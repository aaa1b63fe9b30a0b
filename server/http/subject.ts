import type { OperationId } from '../contract/operation.ts'

/** What a request turned out to be. A closed list, because metrics count by it. */
export type Subject = OperationId | 'page' | 'file' | 'preflight' | 'unknown'
