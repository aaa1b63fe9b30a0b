/**
 * `workspace-service/server`: an Express router for your own backend that implements the contract.
 */
export type { Calls, HandledId, Handlers } from '../generated/handlers.ts'
export type { Operation, OperationId } from '../generated/operations.ts'
export type * from '../generated/types.ts'
export {
  createRouter,
  type HandlerContext as Context,
  type ContractRouter,
  type RouterHandlers,
  type RouterOptions,
} from './http/create_router.ts'
export { ServiceError } from './kernel/errors.ts'
export { OAuthError } from './kernel/oauth_error.ts'
