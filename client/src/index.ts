export { createWorkspaceClient, type ClientOptions, type WorkspaceClient } from './client.ts'
export { ApiError, ConnectionError, UnreadableAnswerError, WorkspaceServiceError } from './errors.ts'
export type { Answer, CallOptions, Input, Item, ListOperationId, OperationId } from './types.ts'
export type * from '../../generated/types.ts'
