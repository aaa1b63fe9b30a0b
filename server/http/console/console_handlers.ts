import { reachableAgentHandlers } from './agent_handlers.ts'
import { auditHandlers } from './audit_handlers.ts'
import { connectionHandlers } from './connection_handlers.ts'
import type { ConsoleHandlers } from './console_calls.ts'
import { internalConnectionHandlers } from './internal_connection_handlers.ts'
import { oauthAppHandlers } from './oauth_app_handlers.ts'
import { accessHandlers } from './access_handlers.ts'
import { memberHandlers } from './member_handlers.ts'
import { rateLimitHandlers } from './rate_limit_handlers.ts'
import { requestHandlers } from './request_handlers.ts'
import { signInHandlers } from './sign_in_handlers.ts'
import { tokenHandlers } from './token_handlers.ts'
import { webhookHandlers } from './webhook_handlers.ts'

/** A handler for each operation of the console; the compiler names a missing one. */
export const consoleHandlers: ConsoleHandlers = {
  ...signInHandlers,
  ...connectionHandlers,
  ...tokenHandlers,
  ...reachableAgentHandlers,
  ...requestHandlers,
  ...webhookHandlers,
  ...rateLimitHandlers,
  ...oauthAppHandlers,
  ...internalConnectionHandlers,
  ...accessHandlers,
  ...memberHandlers,
  ...auditHandlers,
}
