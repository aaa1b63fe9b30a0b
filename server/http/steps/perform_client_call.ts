import { performClient } from '../../application/perform_client.ts'
import type { OAuthClient } from '../../domain/oauth/index.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import type { Dependencies } from '../dependencies.ts'
import { objectResponse } from '../response.ts'
import type { Step } from './step.ts'

/** Performs a validated call of an OAuth client. */
export function performClientCall(dependencies: Dependencies): Step<OAuthClient> {
  return async (context, call) => {
    const result = await performClient(dependencies, context, call)
    if (result instanceof OAuthError) throw result
    return objectResponse(result, call.operation, context.requestId)
  }
}
