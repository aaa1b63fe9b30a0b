import type { OperationId } from '../contract/operation.ts'

/** The operation of a request in logs and metrics. Metrics have a time series for each value, so the list of values is fixed. */
export type OperationLabel = OperationId | 'page' | 'console' | 'tools' | 'file' | 'preflight' | 'unknown'
