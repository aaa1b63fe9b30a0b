import { performClient } from '../../application/perform_client.ts'
import type { Database } from '../../domain/shared/index.ts'
import type { OAuthClient } from '../../domain/oauth/index.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import { objectResponse } from '../response.ts'
import type { Step } from './step.ts'

/** Performs a validated call of an OAuth client. */
export function performClientCall(database: Database): Step<OAuthClient> {
  return async (context, call) => {
    const result = await performClient(database, context, call)
    if (result instanceof OAuthError) throw result
    return objectResponse(result, call.operation, context.requestId)
  }
}
