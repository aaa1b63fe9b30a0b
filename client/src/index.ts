export { createWorkspaceClient, type WorkspaceClient } from './client.ts'
export {
  AbortedError,
  ApiError,
  ConnectionError,
  ConnectionRefusedError,
  ConnectionResetError,
  InvalidCallError,
  InvalidWebhookError,
  LimitExceededError,
  StreamFailedError,
  TimeoutError,
  UnreadableAnswerError,
  WorkspaceServiceError,
  type InvalidWebhookCode,
} from './errors.ts'
export type { Limits } from './limits.ts'
export type { CallOptions, ClientOptions, Credentials } from './options.ts'
export type { SessionFrame, SessionStream } from './session_stream.ts'
export type { SessionView, ViewedEvent } from './session_view.ts'
export type { Answer, FullAnswer, Input, Item, ListOperationId, OperationId, StreamOperationId } from './types.ts'
export type * from '../../generated/types.ts'
export {
  verifyWebhook,
  type ReceivedWebhook,
  type VerifyWebhookOptions,
  type WebhookHeaders,
  type WebhookVerification,
} from './webhooks.ts'
