export { createWorkspaceClient, type ClientSessions, type WorkspaceClient } from './client.ts'
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
  UnreadableResponseError,
  WorkspaceServiceError,
  type InvalidWebhookCode,
} from './errors.ts'
export {
  isBlock,
  isFullBlock,
  isFullComment,
  isFullDatabase,
  isFullDataSource,
  isFullPage,
  isFullUser,
  isTask,
} from './guards.ts'
export type { Limits } from './limits.ts'
export {
  AuthorizationError,
  createOAuth,
  type OAuthConnection,
  type OAuthOptions,
  type OAuthTokens,
  type StartedAuthorization,
  type StoreTokens,
} from './oauth.ts'
export type { AttemptDetails } from './attempt_details.ts'
export type {
  CallOptions,
  ClientOptions,
  Credentials,
  Hooks,
  Logger,
  ReceivedDetails,
  RetryDetails,
  TokenProvider,
} from './options.ts'
export { dispatchWebhook, receiveWebhook, type WebhookHandlers } from './receive_webhook.ts'
export * as blocks from './blocks.ts'
export { plainText, text, Text } from './rich_text.ts'
export type { RichTextInput } from './rich_text_input.ts'
export type { SessionStream } from './session_stream.ts'
export type { SessionFrame, SessionView, ViewedEvent } from './session_view.ts'
export type { CallOf, Input, Item, ListOperationId, OperationId, ResponseBody } from './types.ts'
export type * from '../../generated/resources.ts'
export type * from '../../generated/types.ts'
export { readWholeMarkdown, type WholeMarkdown, type WholeMarkdownOptions } from './read_whole_markdown.ts'
export { uploadFile, UploadInterruptedError, type UploadOptions, type UploadProgress, type UploadSource } from './upload_file.ts'
export { walkBlocks, type WalkedBlock, type WalkOptions } from './walk_blocks.ts'
export * as values from './values.ts'
export {
  verifyWebhook,
  type ReceivedWebhook,
  type VerifyWebhookOptions,
  type WebhookHeaders,
  type WebhookVerification,
} from './webhooks.ts'
