export { createWorkspaceClient, type WorkspaceClient } from './client.ts'
export {
  AbortedError,
  ApiError,
  ConnectionError,
  ConnectionRefusedError,
  ConnectionResetError,
  InvalidCallError,
  TimeoutError,
  UnreadableAnswerError,
  WorkspaceServiceError,
} from './errors.ts'
export type { CallOptions, ClientOptions, Credentials } from './options.ts'
export type { Answer, FullAnswer, Input, Item, ListOperationId, OperationId } from './types.ts'
export type * from '../../generated/types.ts'
