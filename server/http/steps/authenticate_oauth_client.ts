import { authenticateClient } from '../../domain/people/index.ts'
import type { OAuthClient } from '../../domain/oauth/index.ts'
import { chargingFailures } from '../charge_request.ts'
import type { Dependencies } from '../dependencies.ts'
import { setOAuthHeaders } from '../oauth/send_oauth_error.ts'
import type { Step } from './step.ts'

/** Identifies an OAuth client by its client id and secret. */
export function authenticateOAuthClient({
  database,
  rateLimiter,
  admission,
}: Pick<Dependencies, 'database' | 'rateLimiter' | 'admission'>): Step<OAuthClient> {
  return async (context, _call, next) => {
    const { request, response, remote, now } = context
    setOAuthHeaders(response)
    const client = await chargingFailures(rateLimiter, remote, () =>
      database.read((db) => authenticateClient(db, request.headers.authorization, now)),
    )
    context.identify(client, { workspaceId: client.workspaceId, connectionId: client.id })
    admission.identify(response, client.id)
    return next()
  }
}
