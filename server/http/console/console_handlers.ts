import { auditHandlers } from './audit_handlers.ts'
import { connectionHandlers } from './connection_handlers.ts'
import type { ConsoleHandlers } from './console_calls.ts'
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
  ...requestHandlers,
  ...webhookHandlers,
  ...rateLimitHandlers,
  ...auditHandlers,
}
